#include "hollow/addresses.h"

#include <charconv>

#include <fmt/format.h>

namespace ebb::hollow {

std::string address_text(Address address) {
  return fmt::format("{}.{}.{}.{}", address >> 24U, (address >> 16U) & 255U, (address >> 8U) & 255U,
                     address & 255U);
}

std::optional<Address> parse_address(std::string_view text) {
  Address address = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  for (int part = 0; part < 4; ++part) {
    unsigned number = 0;
    const auto [stopped, error] = std::from_chars(at, end, number);
    // Some parsers read a number with leading zeros as octal.
    const bool has_zeros = stopped - at > 1 && *at == '0';
    if (error != std::errc{} || number > 255 || has_zeros) return std::nullopt;
    address = (address << 8U) | number;
    at = stopped;
    if (part == 3) break;
    if (at == end || *at != '.') return std::nullopt;
    ++at;
  }
  if (at != end) return std::nullopt;
  return address;
}

std::optional<Address> AddressPool::take() {
  for (std::uint32_t tried = 0; tried < count_; ++tried) {
    const Address candidate = first_ + next_;
    next_ = (next_ + 1) % count_;
    if (taken_.insert(candidate).second) return candidate;
  }
  return std::nullopt;
}

}  // namespace ebb::hollow
