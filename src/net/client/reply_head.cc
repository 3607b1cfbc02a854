#include "net/client/reply_head.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "net/client/header_text.h"

namespace ebb::net {
namespace {

// A day, even if the server asks for a longer pause.
constexpr int kLongestRetryAfterSeconds = 86'400;

// The number at the beginning of the text; 0 if there is none.
int number(std::string_view text, int highest) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return text.starts_with('-') ? 0 : highest;
  return std::clamp(value, 0, highest);
}

// The length of a body, clamped to the largest number.
std::uint64_t length(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool large = error == std::errc::result_out_of_range;
  return large ? std::numeric_limits<std::uint64_t>::max() : value;
}

// HTTP/1.1 is 11; curl writes HTTP/2 without a minor version.
int version(std::string_view text) {
  if (text == "HTTP/1.0") return 10;
  if (text == "HTTP/1.1") return 11;
  return text.starts_with("HTTP/2") ? 20 : 0;
}

}  // namespace

std::string warning_text(std::string_view value) {
  const std::size_t quote = value.find('"');
  // Code and agent precede it.
  if (quote == std::string_view::npos || !value.starts_with("299 ")) return {};
  std::string text;
  for (std::size_t i = quote + 1; i < value.size(); ++i) {
    if (value[i] == '"') return text;
    if (value[i] == '\\' && i + 1 < value.size()) ++i;
    text += value[i];
  }
  return {};
}

void take_head_line(std::string_view line, HttpReply& reply) {
  if (line.starts_with("HTTP/")) {
    reply = HttpReply{};
    const std::size_t blank = line.find(' ');
    if (blank != std::string_view::npos) reply.code = number(line.substr(blank + 1), 999);
    reply.version = version(line.substr(0, blank));
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (is_name(name, "content-type")) {
    reply.content_type = value;
  } else if (is_name(name, "retry-after")) {
    // The other form, a date, is ignored; API servers do not use it.
    const bool digits = value.find_first_not_of("0123456789") == std::string_view::npos;
    reply.retry_after_seconds = digits ? number(value, kLongestRetryAfterSeconds) : 0;
  } else if (is_name(name, "content-length")) {
    reply.content_length = length(value);
  } else if (is_name(name, "grpc-status")) {
    const bool digits = value.find_first_not_of("0123456789") == std::string_view::npos;
    reply.grpc_status = digits && !value.empty() ? number(value, 999) : 2;  // 2: unknown
  } else if (is_name(name, "warning")) {
    if (std::string text = warning_text(value); !text.empty()) {
      reply.warnings.push_back(std::move(text));
    }
  }
}

}  // namespace ebb::net
