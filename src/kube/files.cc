#include "kube/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace ebb::kube {
namespace {

// No valid file is larger; /dev/zero is.
constexpr std::size_t kMaxFileBytes = 16UL << 20;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file, std::string_view what) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::array<char, 65536> buffer;
  while (stream && text.size() <= kMaxFileBytes) {
    stream.read(buffer.data(), buffer.size());
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > kMaxFileBytes) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{}: larger than {} MiB, too large for a {}",
                                                      file.string(), kMaxFileBytes >> 20, what));
  }
  // Opening a folder succeeds; reading it fails.
  if (!stream.eof() || stream.bad()) {
    const int reason = errno;
    return fail(reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                fmt::format("{}: the {} cannot be read: {}", file.string(), what,
                            std::strerror(reason == 0 ? EIO : reason)));
  }
  return text;
}

Result<std::string> read_token_file(const std::filesystem::path& file) {
  EBB_ASSIGN_OR_RETURN(auto text, read_file(file, "token"));
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank));
  if (text.empty()) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{}: the token is empty", file.string()));
  }
  if (!is_printable(text)) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: a token must be one line of printable characters", file.string()));
  }
  return text;
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c != '\x7f'; });
}

}  // namespace ebb::kube
