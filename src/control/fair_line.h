// Who waits for a place: namespaces take turns, and within one it is first come, first served.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "control/work_queue.h"

namespace ebb::control {

class FairLine {
 public:
  // It must not stand there already.
  void join(const Key& key) {
    auto& waiting = waiting_[key.namespace_name];
    if (waiting.empty()) turns_.push_back(key.namespace_name);
    waiting.emplace(++last_ticket_, key);
    tickets_.emplace(key, last_ticket_);
  }

  // Returns whether it stood there.
  bool leave(const Key& key) {
    const auto ticket = tickets_.find(key);
    if (ticket == tickets_.end()) return false;
    const auto waiting = waiting_.find(key.namespace_name);
    waiting->second.erase(ticket->second);
    tickets_.erase(ticket);
    if (waiting->second.empty()) {
      waiting_.erase(waiting);
      std::erase(turns_, key.namespace_name);
    }
    return true;
  }

  // Whose turn it is, and who stands there no longer.
  [[nodiscard]] std::optional<Key> next() {
    if (turns_.empty()) return std::nullopt;
    const std::string name_space = turns_.front();
    std::optional<Key> key = waiting_.at(name_space).begin()->second;
    leave(*key);
    if (waiting_.contains(name_space)) {
      turns_.pop_front();
      turns_.push_back(name_space);
    }
    return key;
  }

  [[nodiscard]] bool empty() const { return tickets_.empty(); }
  [[nodiscard]] std::size_t size() const { return tickets_.size(); }

 private:
  std::map<std::string, std::map<std::uint64_t, Key>> waiting_;  // by namespace
  std::deque<std::string> turns_;                                // namespaces with somebody waiting
  std::map<Key, std::uint64_t> tickets_;
  std::uint64_t last_ticket_ = 0;
};

}  // namespace ebb::control
