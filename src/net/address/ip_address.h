// IP addresses and blocks, in the one notation that all programs read alike: no octal, hexadecimal
// or missing parts, no brackets, no zone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::net {

// IPv4 is stored in the last four bytes, after twelve zeros, with v4 set.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  bool v4 = false;

  [[nodiscard]] bool operator==(const IpAddress&) const = default;
};

// Strict: four decimal parts, or IPv6 without brackets and zone. No octal, no short forms.
[[nodiscard]] Result<IpAddress> parse_ip(std::string_view text);
[[nodiscard]] std::string to_string(const IpAddress& address);
// 127.0.0.0/8 and ::1, and the former as written by a dual-stack socket (::ffff:127.0.0.1).
[[nodiscard]] bool is_loopback(const IpAddress& address);

struct Cidr {
  IpAddress address{};
  int bits = 0;

  [[nodiscard]] bool contains(const IpAddress& other) const;
};

// A block such as 10.0.0.0/8. Rejects an address with bits beyond the prefix: the author of
// 10.1.2.3/8 may have meant a smaller block.
[[nodiscard]] Result<Cidr> parse_cidr(std::string_view text);

}  // namespace ebb::net
