#include "order/related.h"

#include <vector>

#include "model/records/ownership.h"
#include "model/records/selector_memo.h"

namespace ebb::order {

using model::Pod;
using model::ReplicaSet;

NodeCounts count_related(const ReplicaSet& set, std::span<const ReplicaSet* const> all_sets,
                         std::span<const Pod* const> all_pods, std::span<const Pod* const> own) {
  NodeCounts counts;
  if (set.controller == nullptr) {
    for (const Pod* pod : own) {
      if (pod->active()) ++counts[pod->node];
    }
    return counts;
  }
  std::vector<const model::Selector*> siblings;
  for (const ReplicaSet* other : all_sets) {
    if (model::share_controller(*other, set)) siblings.push_back(&other->selector);
  }
  model::SelectorMemo related(std::move(siblings));
  for (const Pod* pod : all_pods) {
    if (pod->active() && pod->namespace_name == set.namespace_name &&
        related.matches(pod->labels)) {
      ++counts[pod->node];
    }
  }
  return counts;
}

}  // namespace ebb::order
