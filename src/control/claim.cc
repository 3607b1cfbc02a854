#include "control/claim.h"

#include <algorithm>

#include "model/selector_memo.h"

namespace ebb::control {
namespace {

using model::Pod;
using model::ReplicaSet;

bool owns(const ReplicaSet& set, const Pod& pod) {
  return pod.controller != nullptr && pod.controller->uid == set.uid;
}

std::string_view why_inactive(const Pod& pod) {
  if (pod.terminating()) return "terminating";
  return pod.phase == model::Phase::kSucceeded ? "succeeded" : "failed";
}

}  // namespace

Claim claim_pods(const ReplicaSet& set, std::span<const Pod* const> pods) {
  Claim claim;
  model::SelectorMemo selector({&set.selector});
  claim.active.reserve(std::min(static_cast<std::size_t>(set.replicas), pods.size()));
  for (const Pod* const each : pods) {
    const Pod& pod = *each;
    if (pod.name_space != set.name_space) continue;
    const bool owned = owns(set, pod);
    if (!owned && pod.controller != nullptr) continue;
    if (!pod.active()) {
      if (owned) claim.ignored.push_back({&pod, why_inactive(pod)});
      continue;
    }
    const bool matches = selector.matches(pod.labels);
    if (owned && !matches) {
      claim.ignored.push_back({&pod, "labels no longer match the selector"});
      if (!set.deleting) claim.released.push_back(&pod);
    } else if (owned) {
      claim.active.push_back(&pod);
    } else if (matches && !set.deleting) {
      claim.active.push_back(&pod);
      claim.adopted.push_back(&pod);
    }
  }
  return claim;
}

}  // namespace ebb::control
