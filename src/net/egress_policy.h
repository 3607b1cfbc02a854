// Where calls that tenants configure may connect.
//
// Pure: an address in, a verdict out. Whoever dials asks right before connecting, with the very
// address, so that a name that resolves differently a moment later gains nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/ip_address.h"

namespace ebb::net {

struct EgressPolicy {
  // Lifts what is denied by default: loopback and public addresses. What is always denied
  // (unspecified, multicast, broadcast, link-local, metadata, IPv4 hidden in IPv6, `own`) it
  // does not lift.
  std::vector<Cidr> allow{};
  std::vector<Cidr> deny{};  // beats `allow` and everything else
  // If there are any, only hosts that are one of these names or end in one behind a dot are
  // asked at all. Addresses are looked at in any case.
  std::vector<std::string> hosts{};
  std::vector<IpAddress> own{};  // of the API server and of ourselves
  // The same on loopback, where others may be allowed to listen.
  std::vector<std::uint16_t> own_ports{};
  bool loopback = false;  // in `ebb up`

  [[nodiscard]] bool allows_host(std::string_view host) const;
  [[nodiscard]] bool allows(const IpAddress& address, std::uint16_t port) const {
    return judge(address, port) == Verdict::kAllowed;
  }
  // For operators: `127.0.0.1 is not allowed (--picker-allow-cidr)`. Of one that is not allowed.
  [[nodiscard]] std::string refusal(const IpAddress& address, std::uint16_t port) const;

 private:
  enum class Verdict : std::uint8_t {
    kAllowed,
    kDenied,      // by `deny`
    kNever,       // whatever the flags
    kOwn,         // likewise
    kNotAllowed,  // by default
  };
  [[nodiscard]] Verdict judge(const IpAddress& address, std::uint16_t port) const;
};

}  // namespace ebb::net
