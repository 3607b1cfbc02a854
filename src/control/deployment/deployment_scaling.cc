#include <algorithm>

#include "control/deployment/deployment_sizes.h"
#include "control/deployment/proportional.h"

namespace ebb::control::deployments {
namespace {

bool scaled_for_another_size(const Snapshot& snapshot, const SetView& set) {
  return set.active() && set.desired && *set.desired != snapshot.deployment.replicas;
}

// The ReplicaSet to scale unless several are active: the active one, or the new one, or the newest.
const SetView* active_or_latest(const Snapshot& snapshot, const SetView* fresh,
                                const std::vector<const SetView*>& active) {
  if (active.size() == 1) return active.front();
  if (active.size() > 1 || snapshot.sets.empty()) return nullptr;
  if (fresh != nullptr) return fresh;
  return &*std::max_element(snapshot.sets.begin(), snapshot.sets.end(), older);
}

bool saturated(const DeploymentView& deployment, const SetView* fresh) {
  return fresh != nullptr && fresh->replicas == deployment.replicas &&
         fresh->desired == deployment.replicas && fresh->available == deployment.replicas;
}

std::vector<Resize> share(const Snapshot& snapshot, const std::vector<const SetView*>& active) {
  const DeploymentView& deployment = snapshot.deployment;
  std::vector<ShareHolder> holders;
  for (const SetView* set : active) {
    holders.push_back({.replicas = set->replicas,
                       .max_before = set->max,
                       .created = set->created,
                       .name = set->name});
  }
  const std::vector<std::int64_t> sizes =
      share_proportionally(holders, {.replicas = deployment.replicas,
                                     .surge = deployment.surge,
                                     .status_replicas = deployment.status_replicas});
  std::vector<Resize> resizes;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const bool informed =
        active[i]->desired == deployment.replicas && active[i]->max == deployment.allowed();
    if (sizes[i] != active[i]->replicas || !informed) resizes.push_back({active[i], sizes[i]});
  }
  return resizes;
}

}  // namespace

bool is_scaling(const Snapshot& snapshot) {
  return std::any_of(snapshot.sets.begin(), snapshot.sets.end(),
                     [&](const SetView& set) { return scaled_for_another_size(snapshot, set); });
}

std::vector<Resize> scaling_step(const Snapshot& snapshot, const SetView* fresh) {
  const DeploymentView& deployment = snapshot.deployment;
  std::vector<const SetView*> active;
  for (const SetView& set : snapshot.sets) {
    if (set.active()) active.push_back(&set);
  }
  if (const SetView* only = active_or_latest(snapshot, fresh, active)) {
    // If another client has already set the size, the ReplicaSet still needs the annotations, or
    // the Deployment would count as scaling for ever.
    if (only->replicas == deployment.replicas && !scaled_for_another_size(snapshot, *only)) {
      return {};
    }
    return {{only, deployment.replicas}};
  }
  if (active.empty()) return {};
  if (saturated(deployment, fresh)) {
    std::vector<Resize> resizes;
    for (const SetView* set : active) {
      if (set != fresh) resizes.push_back({set, 0});
    }
    return resizes;
  }
  if (deployment.strategy != DeploymentView::Strategy::kRollingUpdate) return {};
  return share(snapshot, active);
}

}  // namespace ebb::control::deployments
