// Predicts the Deployment controller's scaling from records alone.
#include "control/deployment/split.h"

#include <algorithm>
#include <limits>

#include "control/deployment/proportional.h"

namespace ebb::control {
namespace {

using Share = Split::Share;

bool older_set(const model::ReplicaSet* a, const model::ReplicaSet* b) {
  return a->created != b->created ? a->created < b->created : a->name.view() < b->name.view();
}

// The oldest one with the Deployment's revision, so that the order of the input does not matter.
const model::ReplicaSet* find_new(const model::Deployment& deployment,
                                  std::span<const model::ReplicaSet* const> sets) {
  const model::ReplicaSet* found = nullptr;
  for (const model::ReplicaSet* set : sets) {
    const bool current = deployment.revision && set->revision == deployment.revision;
    if (current && (found == nullptr || older_set(set, found))) found = set;
  }
  return found;
}

// The maximum size of a ReplicaSet.
constexpr std::int64_t kMaxTotal = std::numeric_limits<std::int32_t>::max();

std::int64_t resolve_surge(const model::Deployment& deployment, std::int64_t replicas) {
  const std::int64_t value = deployment.max_surge.value;
  return deployment.max_surge.percent ? (value * replicas + 99) / 100 : value;
}

std::vector<Share> keep_sizes(std::span<const model::ReplicaSet* const> sets) {
  std::vector<Share> shares;
  for (const model::ReplicaSet* set : sets) {
    if (set->replicas > 0) shares.push_back({set, set->replicas});
  }
  return shares;
}

ShareHolder holder_of(const model::ReplicaSet& set) {
  return {.replicas = set.replicas,
          .max_before = set.max_annotation,
          .created = set.created,
          .name = set.name.view()};
}

// Largest first, which is the order in which shares are computed.
std::vector<Share> proportional_shares(const model::Deployment& deployment,
                                       const std::vector<const model::ReplicaSet*>& active,
                                       std::int32_t replicas, std::int64_t allowed) {
  std::vector<ShareHolder> holders;
  std::int64_t there = 0;
  for (const model::ReplicaSet* set : active) {
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

Split split_replicas(const model::Deployment& deployment,
                     std::span<const model::ReplicaSet* const> sets, std::int32_t replicas) {
  if (sets.empty()) return {};
  if (deployment.deleting) return {Split::How::kDeleting, keep_sizes(sets)};
  const model::ReplicaSet* fresh = find_new(deployment, sets);
  std::vector<const model::ReplicaSet*> active;
  for (const model::ReplicaSet* set : sets) {
    if (set->replicas > 0) active.push_back(set);
  }
  if (active.empty()) {
    const model::ReplicaSet* latest =
        fresh != nullptr ? fresh : *std::max_element(sets.begin(), sets.end(), older_set);
    return {Split::How::kWhole, {{latest, replicas}}};
  }
  if (active.size() == 1) return {Split::How::kWhole, {{active.front(), replicas}}};

  std::sort(active.begin(), active.end(),
            [&](const model::ReplicaSet* a, const model::ReplicaSet* b) {
              return a->replicas != b->replicas ? a->replicas > b->replicas : older_set(a, b);
            });
  Split split;
  if (fresh != nullptr && fresh->replicas == replicas && fresh->desired_annotation == replicas &&
      fresh->available == replicas) {
    split.how = Split::How::kSaturated;
    for (const model::ReplicaSet* set : active) {
      split.shares.push_back({set, set == fresh ? replicas : 0});
    }
  } else if (deployment.recreate) {
    split.how = Split::How::kRecreate;
    split.shares = keep_sizes(active);
  } else {
    split.how = Split::How::kProportional;
    split.allowed =
        replicas == 0 ? 0 : std::min(replicas + resolve_surge(deployment, replicas), kMaxTotal);
    split.shares = proportional_shares(deployment, active, replicas, split.allowed);
  }
  return split;
}

}  // namespace ebb::control
