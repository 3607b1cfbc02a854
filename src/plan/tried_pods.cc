#include "plan/tried_pods.h"

#include <optional>

#include "control/cache/rank_carriers.h"
#include "plan/snapshot_cluster_reader.h"
#include "ranking/publication.h"
#include "ranking/rank_group.h"

namespace ebb::plan {

std::vector<model::Pod> pods_as_if(const TriedPolicy& tried,
                                   std::span<const model::Pod* const> pods,
                                   const model::Snapshot& snapshot) {
  constexpr auto kCost = ranking::Publish::kPodDeletionCost;
  std::vector<model::Pod> changed;
  changed.reserve(pods.size());
  for (const model::Pod* pod : pods) {
    control::take_off_ours(changed.emplace_back(*pod));
  }
  if (!tried.ranking || tried.ranking->publish != kCost) return changed;
  const ranking::Ranks ranks =
      ranking::rank_group(*tried.ranking, pods, SnapshotClusterReader(snapshot)).of_pods;
  const std::vector<std::optional<std::int32_t>> published(pods.size());
  const std::vector<std::int32_t> values = ranking::settle_values(ranks, published);
  for (std::size_t i = 0; i < changed.size(); ++i) {
    if (!control::rank_on_pod(changed[i], kCost).foreign) {
      control::put_on(changed[i], kCost, values[i]);
    }
  }
  return changed;
}

}  // namespace ebb::plan
