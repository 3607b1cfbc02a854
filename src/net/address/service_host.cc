#include "net/address/service_host.h"

#include <algorithm>

namespace ebb::net {
namespace {

std::string lower_case(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return copy;
}

// RFC 1035, as for Service names; RFC 1123 would accept addresses.
bool is_service_name(std::string_view text) {
  constexpr std::size_t kMaxLabel = 63;
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view kAll = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !text.empty() && text.size() <= kMaxLabel &&
         kLetters.find(text.front()) != std::string_view::npos && text.back() != '-' &&
         text.find_first_not_of(kAll) == std::string_view::npos;
}

}  // namespace

std::optional<std::string> service_host(std::string_view host, std::string_view namespace_name,
                                        std::string_view cluster_domain) {
  const std::string asked = lower_case(host);
  const std::size_t dot = std::min(asked.find('.'), asked.size());
  const std::string service = asked.substr(0, dot);
  const std::string rest = asked.substr(dot);
  if (!is_service_name(service) || namespace_name.empty()) return std::nullopt;
  const std::string in_namespace = "." + lower_case(namespace_name);
  const std::string full = in_namespace + ".svc." + lower_case(cluster_domain);
  // A trailing dot makes a name absolute, so it is only valid on the full name.
  const bool known = rest.empty() || rest == in_namespace || rest == in_namespace + ".svc" ||
                     rest == full || rest == full + ".";
  return known ? std::optional(service + full) : std::nullopt;
}

}  // namespace ebb::net
