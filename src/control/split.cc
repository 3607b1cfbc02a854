// The Deployment controller's scaling path, which also runs in the middle of a
// rollout, when several ReplicaSets have pods: then a change of size is shared in
// proportion, so that a rollout that fails leaves most pods where they were.
#include "control/split.h"

#include <algorithm>
#include <limits>

namespace ebb::control {
namespace {

using model::Deployment;
using model::ReplicaSet;
using Share = Split::Share;

bool older(const ReplicaSet* a, const ReplicaSet* b) {
  return a->created != b->created ? a->created < b->created : a->name.view() < b->name.view();
}

// The oldest of the Deployment's revision, so that the order of the input does not matter.
const ReplicaSet* find_new(const Deployment& deployment, std::span<const ReplicaSet* const> sets) {
  const ReplicaSet* found = nullptr;
  for (const ReplicaSet* set : sets) {
    const bool current = deployment.revision && set->revision == deployment.revision;
    if (current && (found == nullptr || older(set, found))) found = set;
  }
  return found;
}

// More than this no ReplicaSet can have. Numbers that end here cannot overflow 64 bits
// when two of them are multiplied.
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

// How many pods there may be in the middle of a rollout: replicas and surge.
std::int64_t resolve_allowed(const Deployment& deployment, std::int64_t replicas) {
  if (replicas == 0) return 0;
  const std::int64_t value = deployment.max_surge.value;
  const std::int64_t surge = deployment.max_surge.percent ? (value * replicas + 99) / 100 : value;
  return std::min(replicas + surge, kMost);
}

// round(size * allowed / before) - size, halves away from zero; all are at least 0.
std::int64_t share_change(const Deployment& deployment, const ReplicaSet& set,
                          std::int64_t allowed) {
  const std::int64_t size = set.replicas;
  if (allowed == 0) return -size;
  std::int64_t before = set.max_annotation.value_or(0);
  if (before == 0) before = deployment.status_replicas;
  if (before == 0) return 0;
  return std::min((2 * size * allowed + before) / (2 * before), kMost) - size;
}

std::vector<Share> keep_sizes(std::span<const ReplicaSet* const> sets) {
  std::vector<Share> shares;
  for (const ReplicaSet* set : sets) {
    if (set->replicas > 0) shares.push_back({set, set->replicas});
  }
  return shares;
}

std::vector<Share> share_proportionally(const Deployment& deployment,
                                        std::vector<const ReplicaSet*> active,
                                        std::int64_t allowed) {
  std::int64_t to_add = allowed;
  for (const ReplicaSet* set : active) to_add -= set->replicas;

  // Growth goes to the newest of equally large ones, shrinking to the oldest.
  if (to_add > 0) {
    std::sort(active.begin(), active.end(), [&](const ReplicaSet* a, const ReplicaSet* b) {
      return a->replicas != b->replicas ? a->replicas > b->replicas : older(b, a);
    });
  }

  std::vector<Share> shares;
  std::int64_t added = 0;
  for (const ReplicaSet* set : active) {
    std::int64_t change = 0;
    if (to_add != added) {
      change = share_change(deployment, *set, allowed);
      change = to_add > 0 ? std::min(change, to_add - added) : std::max(change, to_add - added);
    }
    added += change;
    shares.push_back({set, static_cast<std::int32_t>(set->replicas + change)});
  }
  // What rounding left over goes to the largest.
  const std::int64_t first = shares.front().replicas + (to_add - added);
  shares.front().replicas = static_cast<std::int32_t>(std::max<std::int64_t>(first, 0));
  return shares;
}

}  // namespace

Split split_replicas(const Deployment& deployment, std::span<const ReplicaSet* const> sets,
                     std::int32_t replicas) {
  if (sets.empty()) return {};
  if (deployment.deleting) return {Split::How::kDeleting, keep_sizes(sets)};
  const ReplicaSet* fresh = find_new(deployment, sets);
  std::vector<const ReplicaSet*> active;
  for (const ReplicaSet* set : sets) {
    if (set->replicas > 0) active.push_back(set);
  }
  if (active.empty()) {
    const ReplicaSet* latest =
        fresh != nullptr ? fresh : *std::max_element(sets.begin(), sets.end(), older);
    return {Split::How::kWhole, {{latest, replicas}}};
  }
  if (active.size() == 1) return {Split::How::kWhole, {{active.front(), replicas}}};

  std::sort(active.begin(), active.end(), [&](const ReplicaSet* a, const ReplicaSet* b) {
    return a->replicas != b->replicas ? a->replicas > b->replicas : older(a, b);
  });
  Split split;
  if (fresh != nullptr && fresh->replicas == replicas && fresh->desired_annotation == replicas &&
      fresh->available == replicas) {
    split.how = Split::How::kSaturated;
    for (const ReplicaSet* set : active) {
      split.shares.push_back({set, set == fresh ? replicas : 0});
    }
  } else if (deployment.recreate) {
    split.how = Split::How::kRecreate;
    split.shares = keep_sizes(active);
  } else {
    split.how = Split::How::kProportional;
    split.allowed = resolve_allowed(deployment, replicas);
    split.shares = share_proportionally(deployment, active, split.allowed);
  }
  return split;
}

}  // namespace ebb::control
