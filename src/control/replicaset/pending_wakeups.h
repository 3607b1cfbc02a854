// Changes that may concern any ReplicaSet of a namespace: pods without a controller, and changed
// ranks of an owner.
//
// A tenant can have many pods and many ReplicaSets, so matching each change with each ReplicaSet
// immediately would delay everything else. run() matches them within a budget, and namespaces take
// turns.
#pragma once  // private to its room

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "control/cache/store.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/replicaset/replica_set_state.h"

namespace ebb::control {

class PendingWakeups {
 public:
  // All arguments must outlive this object. The keys of affected ReplicaSets are added to `woken`.
  PendingWakeups(const Store& store, std::map<Key, ReplicaSetState>& states, std::set<Key>& woken)
      : store_(store), states_(states), woken_(woken) {}

  // A pod without a controller is new, or its labels changed.
  void orphan_came(const Pod& pod);
  // The pod is gone. It may have been adopted and deleted since it was last seen; then this is the
  // only sign of the deletion.
  void orphan_left(const Pod& pod);
  // Wakes ReplicaSets of this owner that wait for ranks.
  void owner_changed(std::string_view namespace_name, std::string_view kind, std::string_view name);

  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const;

 private:
  struct Changes {
    std::set<std::string> orphans;                         // names of pods
    std::set<std::string> left;                            // uids of pods
    std::set<std::pair<std::string, std::string>> owners;  // kind and name
  };

  void wake_waiting(const std::string& namespace_name, Changes& changes);
  void match_orphans(const std::string& namespace_name, Changes& changes);
  void bound(const std::string& namespace_name, Changes& changes);

  const Store& store_;
  std::map<Key, ReplicaSetState>& states_;
  std::set<Key>& woken_;
  std::map<std::string, Changes> changes_;  // by namespace
  std::string last_;                        // the namespace whose turn was last
  WorkBudget budget_;
};

}  // namespace ebb::control
