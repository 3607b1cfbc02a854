// Allocates IPv4 addresses, each to one holder at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace ebb::hollow {

using Address = std::uint32_t;

[[nodiscard]] std::string address_text(Address address);
[[nodiscard]] std::optional<Address> parse_address(std::string_view text);

class AddressPool {
 public:
  AddressPool(Address first, std::uint32_t count) : first_(first), count_(count) {}

  // Cycles through all addresses before it reuses one, so that the address of a deleted pod does
  // not immediately belong to another. Nothing if all are taken.
  [[nodiscard]] std::optional<Address> take();
  // Marks an address that is already in use.
  void mark(Address address) { taken_.insert(address); }
  void release(Address address) { taken_.erase(address); }

 private:
  Address first_;
  std::uint32_t count_;
  std::uint32_t next_ = 0;
  std::unordered_set<Address> taken_;
};

}  // namespace ebb::hollow
