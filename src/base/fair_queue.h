// A queue for limited slots: tenants take turns, and each tenant's items are served first come,
// first served. All operations take constant or logarithmic time, however many tenants wait.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace ebb {

template <class Item>
class FairQueue {
 public:
  FairQueue() = default;
  FairQueue(FairQueue&&) noexcept = default;
  FairQueue& operator=(FairQueue&&) noexcept = default;
  // A copy would refer to the turns of the original.
  FairQueue(const FairQueue&) = delete;
  FairQueue& operator=(const FairQueue&) = delete;

  // The item must not be in the queue.
  void join(const std::string& tenant, const Item& item) {
    Line& line = line_of(tenant);
    places_.emplace(item, line.items.insert(line.items.end(), item));
  }
  // Goes before all other items of its tenant.
  void join_first(const std::string& tenant, const Item& item) {
    Line& line = line_of(tenant);
    places_.emplace(item, line.items.insert(line.items.begin(), item));
  }

  // Returns whether the item was in the queue.
  bool leave(const std::string& tenant, const Item& item) {
    const auto place = places_.find(item);
    if (place == places_.end()) return false;
    const auto line = lines_.find(tenant)->second;
    line->items.erase(place->second);
    places_.erase(place);
    remove_if_empty(line);
    return true;
  }

  // Removes and returns the item whose turn it is.
  [[nodiscard]] std::optional<Item> next() {
    return next([](const std::string&) { return true; });
  }
  // Like next(), but skips tenants that may not take a slot now.
  template <class May>
  [[nodiscard]] std::optional<Item> next(May&& may) {
    for (std::size_t left = turns_.size(); left > 0; --left) {
      const auto line = turns_.begin();
      turns_.splice(turns_.end(), turns_, line);
      if (!may(line->tenant)) continue;
      std::optional<Item> item = std::move(line->items.front());
      line->items.pop_front();
      places_.erase(*item);
      remove_if_empty(line);
      return item;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool contains(const Item& item) const { return places_.contains(item); }
  [[nodiscard]] bool empty() const { return places_.empty(); }
  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  struct Line {
    std::string tenant;
    std::list<Item> items;  // never empty
  };
  using Turns = std::list<Line>;

  Line& line_of(const std::string& tenant) {
    const auto [line, is_new] = lines_.try_emplace(tenant);
    if (is_new) line->second = turns_.insert(turns_.end(), Line{tenant, {}});
    return *line->second;
  }
  void remove_if_empty(typename Turns::iterator line) {
    if (!line->items.empty()) return;
    lines_.erase(line->tenant);
    turns_.erase(line);
  }

  Turns turns_;  // the tenant whose turn is next comes first
  std::unordered_map<std::string, typename Turns::iterator> lines_;
  std::map<Item, typename std::list<Item>::iterator> places_;
};

}  // namespace ebb
