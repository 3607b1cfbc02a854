// Who opens the sockets of a client: the last to see an address before it is connected to.
#pragma once

#include <cstdint>
#include <optional>

#include "net/egress_policy.h"

struct sockaddr;

namespace ebb::net {

struct Endpoint {
  IpAddress address{};
  std::uint16_t port = 0;

  [[nodiscard]] bool operator==(const Endpoint&) const = default;
};

// Nothing if it is neither IPv4 nor IPv6.
[[nodiscard]] std::optional<Endpoint> endpoint_of(const sockaddr* address);

// The other way round: address and port only, and only into an address of the same family.
void store(const Endpoint& endpoint, sockaddr* address);

class Dialer {
 public:
  virtual ~Dialer() = default;
  // A socket that will be connected to `where`, or -1: not there. A dialer of tests may point
  // `where` elsewhere, at the same kind of address.
  [[nodiscard]] virtual int open(Endpoint& where) = 0;
};

// Opens what it is asked to.
class SystemDialer final : public Dialer {
 public:
  [[nodiscard]] int open(Endpoint& where) override;
};

// Lets through what a policy allows.
class GuardedDialer final : public Dialer {
 public:
  // Both must outlive it.
  GuardedDialer(const EgressPolicy& policy, Dialer& next) : policy_(policy), next_(next) {}
  [[nodiscard]] int open(Endpoint& where) override;

 private:
  const EgressPolicy& policy_;
  Dialer& next_;
};

}  // namespace ebb::net
