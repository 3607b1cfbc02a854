// UntoleratedTaints: the number of taints of its node that a pod does not tolerate. `count: hard`
// counts NoSchedule and NoExecute, `preferred` only PreferNoSchedule, `all` all three. Other
// effects never count: no component acts on them.
#include <algorithm>
#include <string_view>

#include "ranking/rank_by.h"
#include "schema/core/json.h"

namespace ebb::ranking {
namespace {

using model::TaintEffect;

bool counts(TaintEffect effect, std::string_view which) {
  switch (effect) {
    case TaintEffect::kNoSchedule:
    case TaintEffect::kNoExecute:
      return which != "preferred";
    case TaintEffect::kPreferNoSchedule:
      return which != "hard";
    case TaintEffect::kOther:
      break;
  }
  return false;
}

bool is_tolerated(const model::Pod& pod, const model::Taint& taint) {
  return pod.placement != nullptr && model::tolerates(pod.placement->tolerations, taint);
}

}  // namespace

Ranks rank_by_untolerated_taints(Pods pods, const Args& args, const ClusterReader& cluster) {
  const std::string_view which = schema::text_at(args, {"count"});
  Ranks ranks;
  ranks.reserve(pods.size());
  for (const model::Pod* pod : pods) {
    const model::Node* node = pod->node.empty() ? nullptr : cluster.node(pod->node);
    const auto against = [&](const model::Taint& taint) {
      return counts(taint.effect, which) && !is_tolerated(*pod, taint);
    };
    ranks.push_back(node == nullptr ? 0
                                    : static_cast<std::int32_t>(std::count_if(
                                          node->taints.begin(), node->taints.end(), against)));
  }
  return ranks;
}

}  // namespace ebb::ranking
