// Opens the sockets of a client: the last check of an address before a connection is made.
#pragma once

#include <cstdint>
#include <optional>

#include "net/address/egress_policy.h"

struct sockaddr;

namespace ebb::net {

struct Endpoint {
  IpAddress address{};
  std::uint16_t port = 0;

  [[nodiscard]] bool operator==(const Endpoint&) const = default;
};

// Nothing if it is neither IPv4 nor IPv6.
[[nodiscard]] std::optional<Endpoint> endpoint_of(const sockaddr* address);

// The reverse: stores address and port into an address of the same family.
void store(const Endpoint& endpoint, sockaddr* address);

class Dialer {
 public:
  virtual ~Dialer() = default;
  // Opens a socket to be connected to `where`, or returns -1 to refuse. A test dialer may redirect
  // `where` to another address of the same family.
  [[nodiscard]] virtual int open(Endpoint& where) = 0;
};

// Opens every socket it is asked for.
class SystemDialer final : public Dialer {
 public:
  [[nodiscard]] int open(Endpoint& where) override;
};

// Opens only sockets that a policy allows.
class GuardedDialer final : public Dialer {
 public:
  // Both must outlive the dialer.
  GuardedDialer(const EgressPolicy& policy, Dialer& next) : policy_(policy), next_(next) {}
  [[nodiscard]] int open(Endpoint& where) override;

 private:
  const EgressPolicy& policy_;
  Dialer& next_;
};

}  // namespace ebb::net
