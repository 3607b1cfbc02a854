#include "net/client/dialer.h"

#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/check.h"

namespace ebb::net {

std::optional<Endpoint> endpoint_of(const sockaddr* address) {
  Endpoint endpoint;
  if (address->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, address, sizeof v4);
    std::memcpy(endpoint.address.bytes.data() + 12, &v4.sin_addr, sizeof v4.sin_addr);
    endpoint.address.v4 = true;
    endpoint.port = ntohs(v4.sin_port);
    return endpoint;
  }
  if (address->sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, address, sizeof v6);
    std::memcpy(endpoint.address.bytes.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
    endpoint.port = ntohs(v6.sin6_port);
    return endpoint;
  }
  return std::nullopt;
}

void store(const Endpoint& endpoint, sockaddr* address) {
  EBB_CHECK(endpoint.address.v4 == (address->sa_family == AF_INET));
  const in_port_t port = htons(endpoint.port);
  if (endpoint.address.v4) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(address);
    std::memcpy(&v4->sin_addr, endpoint.address.bytes.data() + 12, sizeof v4->sin_addr);
    v4->sin_port = port;
  } else {
    auto* v6 = reinterpret_cast<sockaddr_in6*>(address);
    std::memcpy(&v6->sin6_addr, endpoint.address.bytes.data(), sizeof v6->sin6_addr);
    v6->sin6_port = port;
  }
}

int SystemDialer::open(Endpoint& where) {
  return socket(where.address.v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
}

int GuardedDialer::open(Endpoint& where) {
  return policy_.allows(where.address, where.port) ? next_.open(where) : -1;
}

}  // namespace ebb::net
