#include "net/address/ip_address.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>

namespace ebb::net {
namespace {

constexpr std::size_t kV4Offset = 12;
// A longer text is not an address and need not be copied.
constexpr std::size_t kLongestAddress = INET6_ADDRSTRLEN;

std::size_t first_byte(const IpAddress& address) { return address.v4 ? kV4Offset : 0; }
int width(const IpAddress& address) { return address.v4 ? 32 : 128; }

// The prefix bits of the byte at this index of an address.
std::uint8_t prefix_mask(int bits, std::size_t place) {
  const int left = std::clamp(bits - static_cast<int>(place) * 8, 0, 8);
  return static_cast<std::uint8_t>(0xff00U >> left);
}

tl::unexpected<Error> refuse(std::string_view text, std::string_view why) {
  constexpr std::size_t kShown = 64;
  return fail(ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", text.substr(0, kShown), why));
}

// A number without a sign and without leading zeros.
bool parse_bits(std::string_view text, int most, int& bits) {
  if (text.empty() || (text.size() > 1 && text.front() == '0') || text.front() == '-') return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  return error == std::errc{} && end == text.data() + text.size() && bits <= most;
}

}  // namespace

Result<IpAddress> parse_ip(std::string_view text) {
  constexpr std::string_view kWanted =
      "is not an IP address; expected one such as 10.0.0.1 or fd00::1, without brackets or zone";
  // A NUL would end the text for the C library, but not for later readers.
  if (text.size() >= kLongestAddress || text.find('\0') != std::string_view::npos) {
    return refuse(text, kWanted);
  }
  const std::string copy(text);
  IpAddress address;
  if (inet_pton(AF_INET, copy.c_str(), address.bytes.data() + kV4Offset) == 1) {
    address.v4 = true;
    return address;
  }
  address = {};
  if (inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) return address;
  return refuse(text, kWanted);
}

std::string to_string(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(address.v4 ? AF_INET : AF_INET6, address.bytes.data() + first_byte(address),
            text.data(), text.size());
  return text.data();
}

bool is_loopback(const IpAddress& address) {
  constexpr std::size_t kLast = 15;
  constexpr std::uint8_t kLoopbackNet = 127;
  const auto& bytes = address.bytes;
  const bool zeros = std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; });
  if (!zeros) return false;
  const bool mapped = bytes[10] == 0xff && bytes[11] == 0xff;
  if (address.v4 || mapped) return bytes[kV4Offset] == kLoopbackNet;
  IpAddress one;
  one.bytes[kLast] = 1;
  return address == one;
}

bool Cidr::contains(const IpAddress& other) const {
  if (address.v4 != other.v4) return false;
  const std::size_t first = first_byte(address);
  for (std::size_t i = first; i < address.bytes.size(); ++i) {
    const std::uint8_t mask = prefix_mask(bits, i - first);
    if ((address.bytes[i] & mask) != (other.bytes[i] & mask)) return false;
  }
  return true;
}

Result<Cidr> parse_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return refuse(text, "is not a CIDR block; expected one such as 10.0.0.0/8");
  }
  EBB_ASSIGN_OR_RETURN(auto address, parse_ip(text.substr(0, slash)));
  Cidr cidr{address, 0};
  if (!parse_bits(text.substr(slash + 1), width(cidr.address), cidr.bits)) {
    return refuse(text,
                  fmt::format("needs a number from 0 to {} after the slash", width(cidr.address)));
  }
  IpAddress start = cidr.address;
  const std::size_t first = first_byte(start);
  for (std::size_t i = first; i < start.bytes.size(); ++i) {
    start.bytes[i] &= prefix_mask(cidr.bits, i - first);
  }
  if (start != cidr.address) {
    return refuse(text, fmt::format("has bits beyond its prefix; expected {}/{}", to_string(start),
                                    cidr.bits));
  }
  return cidr;
}

}  // namespace ebb::net
