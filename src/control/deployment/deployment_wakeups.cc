#include "control/deployment/deployment_wakeups.h"

#include <algorithm>

#include "base/deadline_queue.h"
#include "control/core/key_of.h"
#include "control/deployment/deployment_claim.h"

namespace ebb::control::deployments {
namespace {

template <class Object>
void join_once(FairQueue<Key>& queue, const Object& object) {
  const Key key = key_of(object);
  if (!queue.contains(key)) queue.join(key.namespace_name, key);
}

}  // namespace

void Wakeups::orphan_came(const ReplicaSet& set) { join_once(orphans_, set); }

void Wakeups::pod_left(const Deployment& owner) { join_once(pods_left_, owner); }

void Wakeups::run(Now now) {
  if (orphans_.empty() && pods_left_.empty()) return;
  if (!budget_.begin(now)) return;
  while (!budget_.spent() && !(orphans_.empty() && pods_left_.empty())) {
    if (const auto key = orphans_.next()) match_orphan(*key);
    if (const auto key = pods_left_.next()) check_pods(*key);
  }
}

Timestamp Wakeups::wake_at() const {
  return orphans_.empty() && pods_left_.empty() ? Timestamp() : budget_.when(kRightAway);
}

void Wakeups::match_orphan(const Key& key) {
  budget_.spend(1);
  const ReplicaSet* const set = store_.replica_set(key.namespace_name, key.name);
  if (set == nullptr || set->controller != nullptr || set->deleting) return;
  const auto all = store_.deployments_in(key.namespace_name);
  budget_.spend(all.size());
  for (const Deployment* deployment : all) {
    if (!selects(*deployment, *set)) continue;
    woken_.insert({key.namespace_name, std::string(deployment->name.view())});
  }
}

void Wakeups::check_pods(const Key& key) {
  budget_.spend(1);
  const Deployment* const deployment = store_.deployment(key.namespace_name, key.name);
  if (deployment == nullptr || !deployment->recreate) return;
  for (const ReplicaSet* set : store_.replica_sets_of(*deployment)) {
    const std::vector<const Pod*> pods = store_.pods_of(*set);
    budget_.spend(1 + pods.size());
    const auto unfinished = [](const Pod* pod) { return !pod->finished(); };
    if (std::any_of(pods.begin(), pods.end(), unfinished)) return;
  }
  woken_.insert(key);
}

}  // namespace ebb::control::deployments
