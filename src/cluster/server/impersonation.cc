#include "cluster/server/impersonation.h"

#include <charconv>
#include <string_view>

#include "schema/core/utf8.h"

namespace ebb::cluster {
namespace {

constexpr std::string_view kExtra = "impersonate-extra-";

// Keys may have characters that header names may not. An invalidly percent-encoded name is used
// unchanged.
std::string decoded_key(std::string_view name) {
  std::string key;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%') {
      key += name[i];
      continue;
    }
    unsigned byte = 0;
    const std::string_view digits = name.substr(i + 1, 2);
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, byte, 16);
    if (digits.size() < 2 || error != std::errc() || stop != end) return std::string(name);
    key += static_cast<char>(byte);
    i += 2;
  }
  return key;
}

}  // namespace

model::Impersonation impersonation_of(
    const std::vector<std::pair<std::string, std::string>>& headers) {
  model::Impersonation as;
  for (const auto& [name, bytes] : headers) {
    // The values go into reviews, which are JSON.
    const std::string value = schema::as_utf8(bytes);
    if (name == "impersonate-user" && as.user.empty()) as.user = value;
    if (name == "impersonate-uid" && as.uid.empty()) as.uid = value;
    if (name == "impersonate-group") as.groups.push_back(value);
    if (name.starts_with(kExtra)) {
      as.extra[schema::as_utf8(decoded_key(std::string_view(name).substr(kExtra.size())))]
          .push_back(value);
    }
  }
  return as;
}

}  // namespace ebb::cluster
