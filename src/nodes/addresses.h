// IPv4 addresses to give away, each to one holder at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace ebb::nodes {

using Address = std::uint32_t;

[[nodiscard]] std::string address_text(Address address);
[[nodiscard]] std::optional<Address> parse_address(std::string_view text);

class AddressPool {
 public:
  AddressPool(Address first, std::uint32_t count) : first_(first), count_(count) {}

  // Goes through all addresses before it uses one again, so that an address of a pod that
  // has just gone does not mean another pod right away. Nothing if all are taken.
  [[nodiscard]] std::optional<Address> take();
  // Found in use.
  void mark(Address address) { taken_.insert(address); }
  void release(Address address) { taken_.erase(address); }

 private:
  Address first_;
  std::uint32_t count_;
  std::uint32_t next_ = 0;
  std::unordered_set<Address> taken_;
};

}  // namespace ebb::nodes
