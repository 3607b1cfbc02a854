#include "control/core/claim.h"

#include <algorithm>
#include <iterator>

#include "model/records/ownership.h"
#include "model/records/selector_memo.h"

namespace ebb::control {
namespace {

using model::Pod;
using model::ReplicaSet;

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
    if (pod.namespace_name != set.namespace_name) continue;
    const bool owned = model::controls(set, pod);
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

ClaimPatches next_patches(const Claim& claim, bool may_adopt,
                          const std::set<std::string, std::less<>>& tried) {
  ClaimPatches patches;
  const auto choose = [&](const std::vector<const Pod*>& from, std::vector<const Pod*>& to) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to),
                 [&](const Pod* pod) { return !tried.contains(pod->uid.view()); });
    std::sort(to.begin(), to.end(),
              [](const Pod* a, const Pod* b) { return a->name.view() < b->name.view(); });
  };
  if (may_adopt) choose(claim.adopted, patches.adopted);
  choose(claim.released, patches.released);
  patches.adopted.resize(std::min(patches.adopted.size(), kMaxPatches));
  patches.released.resize(std::min(patches.released.size(), kMaxPatches - patches.adopted.size()));
  return patches;
}

}  // namespace ebb::control
