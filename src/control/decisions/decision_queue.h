// Decisions that wait to be written as DownscaleDecision objects.
//
// The ReplicaSet controller adds them, and the decision controller takes them. The queue is bounded
// in number and bytes, so a slow API server costs records and nothing else: the namespace that
// takes up the most loses its oldest, and a workload keeps no more than would be kept in the end.
// Namespaces take turns.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/fair_queue.h"
#include "control/core/decision.h"

namespace ebb::control {

struct WaitingDecision {
  Decision decision{};
  int tries = 0;
};

class DecisionQueue {
 public:
  struct Limits {
    std::size_t records = 1'000;
    std::size_t bytes = 16U << 20U;
    std::size_t per_workload = 10;
  };

  explicit DecisionQueue(Limits limits) : limits_(limits) {}
  DecisionQueue() : DecisionQueue(Limits()) {}

  void add(Decision decision);
  // Returns a record that could not be written; it goes before the others of its namespace.
  void put_back(WaitingDecision waiting);
  // Removes and returns the record whose turn it is. `may` says whether records of a namespace may
  // be written now.
  template <class May>
  [[nodiscard]] std::optional<WaitingDecision> next(May&& may) {
    const auto id = turns_.next(may);
    if (!id) return std::nullopt;
    return take(*id);
  }
  // Drops everything.
  void clear();

  [[nodiscard]] bool empty() const { return records_.empty(); }
  [[nodiscard]] std::size_t size() const { return records_.size(); }
  // The number of records that were ever added or put back.
  [[nodiscard]] std::uint64_t added() const { return next_id_ - 1; }
  // The number of records dropped since the last call.
  [[nodiscard]] std::size_t take_dropped() { return std::exchange(dropped_, 0); }

 private:
  using Id = std::uint64_t;
  struct Record {
    WaitingDecision waiting{};
    std::size_t bytes = 0;
  };
  struct Namespace {
    std::deque<Id> records{};  // oldest first
    std::size_t bytes = 0;
  };

  enum class Place : std::uint8_t { kFirst, kLast };
  void join(WaitingDecision waiting, Place place);
  void keep_limits(const Decision& added);
  void drop(Id id);
  WaitingDecision take(Id id);

  Limits limits_;
  std::map<Id, Record> records_;
  std::map<std::string, Namespace> namespaces_;  // never empty
  FairQueue<Id> turns_;
  Id next_id_ = 1;
  std::size_t bytes_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace ebb::control
