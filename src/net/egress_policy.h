// Where calls that tenants configure may connect.
//
// Pure: an address in, a verdict out. Whoever dials asks right before connecting, with the very
// address, so that a name that resolves differently a moment later gains nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::net {

// IPv4 is kept as the last four bytes behind twelve zeros, with v4 set.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  bool v4 = false;

  [[nodiscard]] bool operator==(const IpAddress&) const = default;
};

// Strict: four decimal parts, or IPv6 without brackets and zone. No octal, no short forms.
[[nodiscard]] Result<IpAddress> parse_ip(std::string_view text);
[[nodiscard]] std::string to_string(const IpAddress& address);

struct Cidr {
  IpAddress address{};
  int bits = 0;

  [[nodiscard]] bool contains(const IpAddress& other) const;
};
[[nodiscard]] Result<Cidr> parse_cidr(std::string_view text);

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
  bool loopback = false;         // in `ebb up`

  [[nodiscard]] bool allows_host(std::string_view host) const;
  [[nodiscard]] bool allows(const IpAddress& address) const;
};

}  // namespace ebb::net
