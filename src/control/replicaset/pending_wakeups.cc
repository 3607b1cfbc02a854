#include "control/replicaset/pending_wakeups.h"

#include "base/deadline_queue.h"

namespace ebb::control {
namespace {

// Above this number of pending changes in a namespace they are processed at once, which bounds
// memory while the controller does not run.
constexpr std::size_t kMaxChanges = 1'000;

}  // namespace

void PendingWakeups::orphan_came(const Pod& pod) {
  if (pod.labels == nullptr || pod.labels->labels.empty()) return;
  changes_[std::string(pod.namespace_name.view())].orphans.emplace(pod.name.view());
}

void PendingWakeups::orphan_left(const Pod& pod) {
  const std::string namespace_name(pod.namespace_name.view());
  Changes& changes = changes_[namespace_name];
  changes.orphans.erase(std::string(pod.name.view()));
  changes.left.emplace(pod.uid.view());
  bound(namespace_name, changes);
}

void PendingWakeups::owner_changed(std::string_view namespace_name, std::string_view kind,
                                   std::string_view name) {
  const std::string space(namespace_name);
  Changes& changes = changes_[space];
  changes.owners.emplace(kind, name);
  bound(space, changes);
}

void PendingWakeups::bound(const std::string& namespace_name, Changes& changes) {
  if (changes.left.size() + changes.owners.size() >= kMaxChanges)
    wake_waiting(namespace_name, changes);
}

void PendingWakeups::run(Now now) {
  if (changes_.empty() || !budget_.begin(now)) return;
  while (!changes_.empty() && !budget_.spent()) {
    auto next = changes_.upper_bound(last_);
    if (next == changes_.end()) next = changes_.begin();
    auto& [namespace_name, changes] = *next;
    last_ = namespace_name;
    wake_waiting(namespace_name, changes);
    match_orphans(namespace_name, changes);
    if (changes.orphans.empty()) changes_.erase(next);
  }
}

Timestamp PendingWakeups::wake_at() const {
  return changes_.empty() ? Timestamp() : budget_.when(kRightAway);
}

// Wakes ReplicaSets that wait for pods to go, or for ranks.
void PendingWakeups::wake_waiting(const std::string& namespace_name, Changes& changes) {
  if (changes.left.empty() && changes.owners.empty()) return;
  for (auto each = states_.lower_bound({.namespace_name = namespace_name, .name = {}});
       each != states_.end() && each->first.namespace_name == namespace_name; ++each) {
    budget_.spend(1);
    auto& [key, state] = *each;
    if (state.expectations.deletions() == 0 && !state.rank_wait.waits) continue;
    const ReplicaSet* const set = store_.replica_set(key.namespace_name, key.name);
    if (set == nullptr) continue;
    const bool saw_leave =
        state.uid == set->uid.view() && state.expectations.saw_pods_leave(changes.left);
    const bool ranks_changed = state.rank_wait.waits && set->controller != nullptr &&
                               changes.owners.contains({std::string(set->controller->kind.view()),
                                                        std::string(set->controller->name.view())});
    if (saw_leave || ranks_changed) woken_.insert(key);
  }
  changes.left.clear();
  changes.owners.clear();
}

// At most one ReplicaSet should select a pod. If several do, each tries to adopt it and one
// succeeds.
void PendingWakeups::match_orphans(const std::string& namespace_name, Changes& changes) {
  if (changes.orphans.empty()) return;
  const auto sets = store_.replica_sets_in(namespace_name);
  budget_.spend(sets.size());
  std::size_t cost = 0;  // of matching one pod
  for (const ReplicaSet* set : sets) cost += set->selector.cost();
  while (!changes.orphans.empty() && !budget_.spent()) {
    const auto name = changes.orphans.extract(changes.orphans.begin());
    const Pod* const pod = store_.pod(namespace_name, name.value());
    budget_.spend(1);
    if (pod == nullptr || pod->controller != nullptr || pod->deleting) continue;
    budget_.spend(cost);
    for (const ReplicaSet* set : sets) {
      if (pod->labels == nullptr || !set->selector.matches(*pod->labels)) continue;
      woken_.insert({.namespace_name = namespace_name, .name = std::string(set->name.view())});
    }
  }
}

}  // namespace ebb::control
