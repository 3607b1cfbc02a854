// Changes that may concern any Deployment of a namespace, or whose meaning takes long to find out:
// ReplicaSets without a controller, and pods that are gone.
//
// A tenant can have many of them and many Deployments, so deciding at once whom each change
// concerns would delay everything else. run() does that within a budget, and namespaces take turns.
#pragma once  // private to its room

#include <set>

#include "base/fair_queue.h"
#include "control/cache/store.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"

namespace ebb::control::deployments {

class Wakeups {
 public:
  // All arguments must outlive this object. The keys of affected Deployments are added to `woken`.
  Wakeups(const Store& store, std::set<Key>& woken) : store_(store), woken_(woken) {}

  // A ReplicaSet without a controller is new, or its labels changed.
  void orphan_came(const ReplicaSet& set);
  // A pod of a Deployment with strategy Recreate is gone. The Deployment is woken if it was the
  // last.
  void pod_left(const Deployment& owner);

  void run(Now now);
  [[nodiscard]] Timestamp wake_at() const;

 private:
  void match_orphan(const Key& key);
  void check_pods(const Key& key);

  const Store& store_;
  std::set<Key>& woken_;
  FairQueue<Key> orphans_;    // ReplicaSets
  FairQueue<Key> pods_left_;  // Deployments
  WorkBudget budget_;
};

}  // namespace ebb::control::deployments
