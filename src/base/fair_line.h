// Who waits for a place: tenants take turns, and within one it is first come, first served.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace ebb {

template <class Item>
class FairLine {
 public:
  // It must not stand there already.
  void join(const std::string& tenant, const Item& item) {
    auto& waiting = waiting_[tenant];
    if (waiting.empty()) turns_.push_back(tenant);
    waiting.emplace(++last_ticket_, item);
    tickets_.emplace(item, last_ticket_);
  }

  // Returns whether it stood there.
  bool leave(const std::string& tenant, const Item& item) {
    const auto ticket = tickets_.find(item);
    if (ticket == tickets_.end()) return false;
    const auto waiting = waiting_.find(tenant);
    waiting->second.erase(ticket->second);
    tickets_.erase(ticket);
    if (waiting->second.empty()) {
      waiting_.erase(waiting);
      std::erase(turns_, tenant);
    }
    return true;
  }

  // Whose turn it is, and who stands there no longer.
  [[nodiscard]] std::optional<Item> next() {
    return next([](const std::string&) { return true; });
  }
  // The same, passing over tenants that may not have a place now.
  template <class May>
  [[nodiscard]] std::optional<Item> next(May&& may) {
    for (std::size_t passed = 0; passed < turns_.size(); ++passed) {
      const std::string tenant = turns_.front();
      turns_.pop_front();
      turns_.push_back(tenant);
      if (!may(tenant)) continue;
      std::optional<Item> item = waiting_.at(tenant).begin()->second;
      leave(tenant, *item);
      return item;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool empty() const { return tickets_.empty(); }
  [[nodiscard]] std::size_t size() const { return tickets_.size(); }

 private:
  std::map<std::string, std::map<std::uint64_t, Item>> waiting_;  // by tenant
  std::deque<std::string> turns_;                                 // tenants with somebody waiting
  std::map<Item, std::uint64_t> tickets_;
  std::uint64_t last_ticket_ = 0;
};

}  // namespace ebb
