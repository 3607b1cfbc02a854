#include "model/api/list_query.h"

#include <fmt/format.h>

namespace ebb::model {
namespace {

constexpr int kPageSize = 500;

std::string with_timeout(std::string query, std::uint64_t seconds) {
  return seconds == 0 ? query : fmt::format("{}&timeoutSeconds={}", query, seconds);
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::string page_query(std::string_view continue_token) {
  if (continue_token.empty()) return fmt::format("limit={}", kPageSize);
  return fmt::format("limit={}&continue={}", kPageSize, percent_encoded(continue_token));
}

std::string streaming_list_query(std::uint64_t timeout_seconds) {
  return with_timeout(
      "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
      "&allowWatchBookmarks=true",
      timeout_seconds);
}

std::string watch_query(std::string_view after_revision, std::uint64_t timeout_seconds) {
  return with_timeout(
      fmt::format("watch=true&resourceVersion={}&allowWatchBookmarks=true", after_revision),
      timeout_seconds);
}

}  // namespace ebb::model
