// The Deployment controller's scaling path as a forecast, from records alone.
#include "control/split.h"

#include <algorithm>
#include <limits>

#include "control/proportional.h"

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

// More than this no ReplicaSet can have.
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

std::int64_t resolve_surge(const Deployment& deployment, std::int64_t replicas) {
  const std::int64_t value = deployment.max_surge.value;
  return deployment.max_surge.percent ? (value * replicas + 99) / 100 : value;
}

std::vector<Share> keep_sizes(std::span<const ReplicaSet* const> sets) {
  std::vector<Share> shares;
  for (const ReplicaSet* set : sets) {
    if (set->replicas > 0) shares.push_back({set, set->replicas});
  }
  return shares;
}

ShareHolder holder_of(const ReplicaSet& set) {
  return {.replicas = set.replicas,
          .max_before = set.max_annotation,
          .created = set.created,
          .name = set.name.view()};
}

// The largest first, as their shares are worked out.
std::vector<Share> proportional_shares(const Deployment& deployment,
                                       const std::vector<const ReplicaSet*>& active,
                                       std::int32_t replicas, std::int64_t allowed) {
  std::vector<ShareHolder> holders;
  std::int64_t there = 0;
  for (const ReplicaSet* set : active) {
    holders.push_back(holder_of(*set));
    there += set->replicas;
  }
  const std::vector<std::int64_t> sizes =
      share_proportionally(holders, {.replicas = replicas,
                                     .surge = allowed - replicas,
                                     .status_replicas = deployment.status_replicas});
  std::vector<Share> shares;
  for (const std::size_t i : by_size(holders, allowed > there)) {
    shares.push_back({active[i], static_cast<std::int32_t>(sizes[i])});
  }
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
    split.allowed =
        replicas == 0 ? 0 : std::min(replicas + resolve_surge(deployment, replicas), kMost);
    split.shares = proportional_shares(deployment, active, replicas, split.allowed);
  }
  return split;
}

}  // namespace ebb::control
