// A map that keeps only the most recently used entries, for state that would otherwise grow without
// bound.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace ebb::control {

template <class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : max_(most) {}

  // The value of the key, created if absent; it becomes the most recently used one.
  Value& operator[](const std::string& key) {
    const auto known = places_.find(key);
    if (known != places_.end()) {
      entries_.splice(entries_.begin(), entries_, known->second);
      return known->second->second;
    }
    if (entries_.size() >= max_) {
      places_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(key, Value{});
    places_.emplace(key, entries_.begin());
    return entries_.front().second;
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<std::string, Value>>;

  std::size_t max_;
  Entries entries_;  // most recently used first
  std::unordered_map<std::string, typename Entries::iterator> places_;
};

}  // namespace ebb::control
