// Ranks on the pods themselves: how they are read, attributed, written and removed.
//
// With each value, the ranker writes the companion annotation ebb.dev/published-cost with the
// carrier and the same number (`PodDeletionCost=-3`), in the same patch. A value without a matching
// companion belongs to another client and stays; the companion is then removed, so that a foreign
// value that later equals the old number is not mistaken for the ranker's. A companion with a
// number alone comes from an older version, and refers to the carrier that has this number. A pod
// has at most one carrier with a rank of the ranker. Every patch carries the uid and the revision
// that it was made from, so that it changes neither a successor of the same name nor a value that
// another client has set meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "control/cache/store.h"
#include "model/api/api.h"
#include "ranking/settings.h"

namespace ebb::control {

struct RankOnPod {
  std::optional<std::int32_t> rank{};  // the ranker's; from a deletion cost, sign inverted
  bool foreign = false;                // the carrier has a value that the ranker did not write
};
// `publish` must not be kPodGroupCost.
[[nodiscard]] RankOnPod rank_on_pod(const Pod& pod, ranking::Publish publish);

// Whether the pod has anything that the ranker wrote, even if only the companion.
[[nodiscard]] bool carries_ours(const Pod& pod);
// The same, ignoring the carrier `kept`.
[[nodiscard]] bool carries_ours_elsewhere(const Pod& pod, ranking::Publish kept);

// Writes a rank, and removes the ranker's values from other carriers of the pod.
[[nodiscard]] model::ApiRequest publish_request(const Pod& pod, ranking::Publish publish,
                                                std::int32_t rank);
// Removes all of the ranker's values, but leaves `kept` alone: its value is known to belong to
// another client.
[[nodiscard]] model::ApiRequest withdraw_request(const Pod& pod,
                                                 std::optional<ranking::Publish> kept = {});

// The effect of these two requests on a pod, applied to a copy. The companion stays unchanged.
void put_on(Pod& pod, ranking::Publish publish, std::int32_t rank);
void take_off_ours(Pod& pod);

// Whether the API server stored status.cost. A server that does not know the field drops it
// silently.
[[nodiscard]] bool carries_status_rank(std::string_view answered_pod);

}  // namespace ebb::control
