#include "runtime/pages/own_addresses.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>

namespace ebb::runtime {
namespace {

using net::IpAddress;

// `host:port` of `https://user@host:port/path`.
std::string_view authority_of(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
  }
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto at = url.rfind('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
  return url;
}

// The host, without the brackets of an IPv6 address.
std::string host_of(std::string_view url) {
  url = authority_of(url);
  if (url.starts_with('[')) return std::string(url.substr(1, url.find(']') - 1));
  return std::string(url.substr(0, url.find(':')));
}

void add(const sockaddr* socket_address, std::vector<IpAddress>& into) {
  if (socket_address == nullptr) return;
  const bool v4 = socket_address->sa_family == AF_INET;
  if (!v4 && socket_address->sa_family != AF_INET6) return;
  IpAddress address{.v4 = v4};
  // The casts follow the layout that sa_family announces.
  if (v4) {
    const auto* of = reinterpret_cast<const sockaddr_in*>(socket_address);     // NOLINT
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&of->sin_addr);  // NOLINT
    std::copy_n(bytes, sizeof of->sin_addr, address.bytes.begin() + 12);
  } else {
    const auto* of = reinterpret_cast<const sockaddr_in6*>(socket_address);  // NOLINT
    std::copy_n(std::begin(of->sin6_addr.s6_addr), address.bytes.size(), address.bytes.begin());
  }
  if (is_loopback(address) || std::find(into.begin(), into.end(), address) != into.end()) return;
  into.push_back(address);
}

}  // namespace

Result<std::vector<IpAddress>> addresses_of_server(std::string_view url) {
  const std::string host = host_of(url);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &found); code != 0) {
    return fail(ErrorCode::kIo, fmt::format("{}: {}", host, ::gai_strerror(code)));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, ::freeaddrinfo);
  std::vector<IpAddress> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    add(one->ai_addr, addresses);
  }
  return addresses;
}

std::uint16_t port_of_server(std::string_view url) {
  std::string_view text = authority_of(url);
  text.remove_prefix(std::min(text.size(), text.rfind(']') + 1));
  const auto colon = text.find(':');
  std::uint16_t port = url.starts_with("http://") ? 80 : 443;
  if (colon != std::string_view::npos) {
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
  }
  return port;
}

std::optional<IpAddress> address_of_service() {
  const char* host = std::getenv("KUBERNETES_SERVICE_HOST");
  if (host == nullptr) return std::nullopt;
  auto address = net::parse_ip(host);
  return address ? std::optional(*address) : std::nullopt;
}

std::vector<IpAddress> addresses_of_machine() {
  std::vector<IpAddress> addresses;
  ifaddrs* found = nullptr;
  if (::getifaddrs(&found) != 0) return addresses;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owned(found, ::freeifaddrs);
  for (const ifaddrs* one = found; one != nullptr; one = one->ifa_next) {
    add(one->ifa_addr, addresses);
  }
  return addresses;
}

}  // namespace ebb::runtime
