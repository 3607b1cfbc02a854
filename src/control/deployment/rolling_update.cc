// Two budgets bound a rolling update: it never requests more than replicas + surge pods, and never
// leaves fewer than replicas - unavailable of them available, as far as the ReplicaSets know.
#include <algorithm>

#include "control/deployment/deployment_sizes.h"

namespace ebb::control::deployments {
namespace {

std::int64_t total_replicas(const Snapshot& snapshot) {
  std::int64_t total = 0;
  for (const SetView& set : snapshot.sets) total += set.replicas;
  return total;
}

std::int64_t total_available(const Snapshot& snapshot) {
  std::int64_t total = 0;
  for (const SetView& set : snapshot.sets) total += set.lasting_available();
  return total;
}

struct Shrinking {
  const SetView* set;
  std::int64_t to;
};

// Unavailable pods serve no traffic; removing them makes room for new ones.
void drop_unhealthy(std::vector<Shrinking>& old, std::int64_t budget) {
  for (Shrinking& each : old) {
    const std::int64_t now = std::min(each.to - each.set->lasting_available(), budget);
    each.to -= now;
    budget -= now;
  }
}

void drop_surplus(std::vector<Shrinking>& old, std::int64_t surplus) {
  for (Shrinking& each : old) {
    const std::int64_t now = std::clamp<std::int64_t>(surplus, 0, each.to);
    each.to -= now;
    surplus -= now;
  }
}

std::vector<Resize> shrink_old(const Snapshot& snapshot, const SetView& fresh) {
  std::vector<Shrinking> old;
  for (const SetView* set : old_sets(snapshot, &fresh)) {
    if (set->active()) old.push_back({set, set->replicas});
  }
  std::sort(old.begin(), old.end(),
            [](const Shrinking& a, const Shrinking& b) { return older(*a.set, *b.set); });

  const std::int64_t min_available = snapshot.deployment.replicas - snapshot.deployment.unavailable;
  // New pods that are not available yet may never be, so they do not count as available.
  const std::int64_t budget =
      total_replicas(snapshot) - min_available - (fresh.replicas - fresh.lasting_available());
  if (old.empty() || budget <= 0) return {};
  drop_unhealthy(old, budget);
  drop_surplus(old, total_available(snapshot) - min_available);

  std::vector<Resize> resizes;
  for (const Shrinking& each : old) {
    if (each.to != each.set->replicas) resizes.push_back({each.set, each.to});
  }
  return resizes;
}

}  // namespace

std::int64_t new_set_size(const Snapshot& snapshot, std::int64_t current) {
  const DeploymentView& deployment = snapshot.deployment;
  if (deployment.strategy != DeploymentView::Strategy::kRollingUpdate) return deployment.replicas;
  const std::int64_t room = deployment.allowed() - total_replicas(snapshot);
  if (room <= 0) return current;
  return current + std::min(room, deployment.replicas - current);
}

std::vector<Resize> rolling_update_step(const Snapshot& snapshot, const SetView& fresh) {
  const std::int64_t wanted = fresh.replicas > snapshot.deployment.replicas
                                  ? snapshot.deployment.replicas
                                  : new_set_size(snapshot, fresh.replicas);
  if (wanted != fresh.replicas) return {{&fresh, wanted}};
  return shrink_old(snapshot, fresh);
}

std::vector<Resize> scale_down_all_old(const Snapshot& snapshot, const SetView* fresh) {
  std::vector<Resize> resizes;
  for (const SetView* set : old_sets(snapshot, fresh)) {
    if (set->active()) resizes.push_back({set, 0});
  }
  return resizes;
}

bool old_pods_are_left(const Snapshot& snapshot, const SetView* fresh) {
  const std::vector<const SetView*> old = old_sets(snapshot, fresh);
  return std::any_of(old.begin(), old.end(), [](const SetView* set) {
    return set->status_replicas > 0 || set->has_unfinished_pods;
  });
}

}  // namespace ebb::control::deployments
