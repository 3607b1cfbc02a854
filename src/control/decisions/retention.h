// Decides which DownscaleDecision objects to delete.
//
// Each workload keeps its newest records, and the cluster keeps a limited number in total. If the
// cluster has too many, the namespace with the most records loses its oldest one. So a tenant that
// creates records by the thousand loses its own, and a namespace with few records keeps them.
#pragma once  // private to its room

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/fair_queue.h"
#include "base/timestamp.h"
#include "control/controller/process_settings.h"
#include "control/core/work_queue.h"

namespace ebb::control {

// The metadata of a record.
struct StoredDecision {
  Key key{};
  std::string uid{};
  std::string workload{};  // identifies the workload within the namespace
  Timestamp created{};
};

class Retention {
 public:
  explicit Retention(DecisionLimits limits) : limits_(limits) {}

  // A record exists, or has changed. A new uid means that it is another record of the same name.
  void put(const StoredDecision& decision);
  // A record is gone or being deleted.
  void remove(const Key& key);

  struct Excess {
    Key key{};
    std::string uid{};
    std::string_view limit{};  // the limit that it exceeds: `workload` or `cluster`
  };
  // The record to delete next, if any. It counts as gone from here on. `may` says whether records
  // of a namespace may be deleted now; namespaces take turns.
  // The limit of the cluster is applied only once all records are known.
  template <class May>
  [[nodiscard]] std::optional<Excess> next(bool all_known, May&& may) {
    if (auto excess = next_of_workload(may)) return excess;
    return all_known ? next_of_cluster(may) : std::nullopt;
  }
  // The record was not deleted, so it counts again.
  void keep(const Key& key);
  // Whether next() would return a record if all namespaces were allowed.
  [[nodiscard]] bool any() const { return !crowded_.empty() || staying_ > limits_.per_cluster; }

  [[nodiscard]] bool contains(const Key& key) const { return records_.contains(key); }
  // All known records, including those that are being deleted.
  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  struct Record {
    StoredDecision decision{};
    bool going = false;
  };
  // Oldest first. Times are whole seconds; the end of the name continues them.
  using Age = std::tuple<Timestamp, std::string, std::string>;
  struct Namespace {
    std::set<Age> records{};
    std::map<std::string, std::set<Age>> workloads{};  // never empty
  };
  // Workloads with too many records, by namespace.
  using Workload = std::pair<std::string, std::string>;
  // The number of records, and the oldest of them: the last one loses a record first.
  using Weight = std::tuple<std::size_t, Nanoseconds, std::string>;

  template <class May>
  [[nodiscard]] std::optional<Excess> next_of_workload(May&& may) {
    const auto workload = crowded_.next(may);
    if (!workload) return std::nullopt;
    return choose(workload->first, std::get<2>(*oldest_of(*workload)), "workload");
  }
  template <class May>
  [[nodiscard]] std::optional<Excess> next_of_cluster(May&& may) {
    std::size_t counted = staying_;
    for (auto each = weights_.rbegin(); each != weights_.rend(); ++each) {
      if (counted <= limits_.per_cluster) return std::nullopt;
      const std::string namespace_name = std::get<2>(*each);
      const Namespace& space = namespaces_.at(namespace_name);
      if (!may(namespace_name)) {
        // Its records cannot be deleted. Others must not lose theirs instead.
        counted -= space.records.size();
        continue;
      }
      return choose(namespace_name, std::get<2>(*space.records.begin()), "cluster");
    }
    return std::nullopt;
  }

  [[nodiscard]] const Age* oldest_of(const Workload& workload) const;
  [[nodiscard]] Excess choose(const std::string& namespace_name, const std::string& name,
                              std::string_view limit);
  // Adds a record to those that stay, and removes it from them.
  void stay(const StoredDecision& decision);
  void leave(const StoredDecision& decision);
  void check_workload(const Workload& workload, std::size_t records);
  [[nodiscard]] static Age age_of(const StoredDecision& decision);
  [[nodiscard]] static Weight weight_of(const std::string& name, const Namespace& space);

  DecisionLimits limits_;
  std::map<Key, Record> records_;
  // Of the records that stay.
  std::map<std::string, Namespace> namespaces_;  // never empty
  std::set<Weight> weights_;                     // of these
  FairQueue<Workload> crowded_;
  std::size_t staying_ = 0;
};

}  // namespace ebb::control
