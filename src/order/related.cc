#include "order/related.h"

#include <algorithm>
#include <vector>

namespace ebb::order {
namespace {

using model::LabelSet;
using model::Pod;
using model::ReplicaSet;

// Whether any of some selectors matches. Pods of a workload share their label set,
// so the answer for each set is kept.
class AnySelector {
 public:
  explicit AnySelector(std::vector<const ReplicaSet*> sets) : sets_(std::move(sets)) {}

  bool matches(const LabelSet* labels) {
    if (labels == last_) return last_answer_;
    const auto [known, added] = answers_.try_emplace(labels, false);
    if (added) {
      known->second = std::any_of(sets_.begin(), sets_.end(), [&](const ReplicaSet* set) {
        return set->selector.matches(*labels);
      });
    }
    last_ = labels;
    return last_answer_ = known->second;
  }

 private:
  std::vector<const ReplicaSet*> sets_;
  boost::unordered_flat_map<const LabelSet*, bool> answers_;
  const LabelSet* last_ = nullptr;
  bool last_answer_ = false;
};

}  // namespace

NodeCounts count_related(const ReplicaSet& set, std::span<const ReplicaSet> all_sets,
                         std::span<const Pod> all_pods, std::span<const Pod* const> own) {
  NodeCounts counts;
  if (set.controller == nullptr) {
    for (const Pod* pod : own) {
      if (pod->active()) ++counts[pod->node];
    }
    return counts;
  }
  std::vector<const ReplicaSet*> siblings;
  for (const ReplicaSet& other : all_sets) {
    if (other.name_space == set.name_space && other.controller != nullptr &&
        other.controller->uid == set.controller->uid) {
      siblings.push_back(&other);
    }
  }
  AnySelector related(std::move(siblings));
  for (const Pod& pod : all_pods) {
    if (pod.active() && pod.name_space == set.name_space && related.matches(pod.labels)) {
      ++counts[pod.node];
    }
  }
  return counts;
}

}  // namespace ebb::order
