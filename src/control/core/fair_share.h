// Divides a limit equally between the namespaces that use it, so that one with much to do leaves
// room for others. A namespace that uses nothing always gets a slot: then the limit is exceeded, by
// at most one slot for each namespace.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "base/check.h"

namespace ebb::control {

class FairShare {
 public:
  explicit FairShare(std::size_t limit) : limit_(limit) {}

  [[nodiscard]] bool has_room(const std::string& namespace_name) const {
    const auto used = used_.find(namespace_name);
    return used == used_.end() || used->second < limit_ / used_.size();
  }
  void take(const std::string& namespace_name) { ++used_[namespace_name]; }
  void give_back(const std::string& namespace_name) {
    const auto used = used_.find(namespace_name);
    EBB_CHECK(used != used_.end());
    if (--used->second == 0) used_.erase(used);
  }

 private:
  std::size_t limit_;
  std::unordered_map<std::string, std::size_t> used_;  // by namespace; never 0
};

}  // namespace ebb::control
