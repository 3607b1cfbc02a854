#include "net/address/loopback_host.h"

#include <boost/algorithm/string/predicate.hpp>

#include "net/address/ip_address.h"

namespace ebb::net {
namespace {

constexpr std::size_t kLongestPort = 5;

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= kLongestPort &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_loopback_address(std::string_view text) {
  const auto address = parse_ip(text);
  return address && is_loopback(*address);
}

}  // namespace

bool is_loopback_host(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view rest = host.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return false;
    const std::string_view address = host.substr(1, end - 1);
    return address.find(':') != std::string_view::npos && is_loopback_address(address);
  }
  const std::size_t colon = host.find(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon + 1))) return false;
  const std::string_view name = host.substr(0, colon);
  return boost::algorithm::iequals(name, "localhost") || is_loopback_address(name);
}

}  // namespace ebb::net
