// Ranks that stand on the pods themselves: what is published on a pod, whose it is, and how it is
// written and taken away.
//
// Beside each value of ours stands the annotation ebb.dev/published-cost with the carrier and the
// same number (`PodDeletionCost=-3`), written by the same patch. A value without it, or with
// another, is somebody else's and stays; then the companion goes, so that a value of theirs which
// happens to be the old number is not taken for ours later. A number alone is of an older version,
// and means the carrier that has it. At most one carrier of a pod is ours at a time. Every patch
// names the uid and the revision that it was made from, so that neither a successor of the same
// name nor a value that somebody has set meanwhile is touched.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "control/store.h"
#include "model/api.h"
#include "ranking/settings.h"

namespace ebb::control {

struct RankOnPod {
  std::optional<std::int32_t> rank{};  // of ours; of a deletion cost with the sign turned
  bool foreign = false;                // something stands there that is not ours
};
// `publish` is not kPodGroupCost.
[[nodiscard]] RankOnPod rank_on_pod(const Pod& pod, ranking::Publish publish);

// Whether something of ours stands on the pod, be it the companion alone.
[[nodiscard]] bool carries_ours(const Pod& pod);
// Likewise, but for the carrier that is kept.
[[nodiscard]] bool carries_ours_elsewhere(const Pod& pod, ranking::Publish kept);

// Writes a rank, and takes away what of ours stands elsewhere on the pod.
[[nodiscard]] model::ApiRequest publish_request(const Pod& pod, ranking::Publish publish,
                                                std::int32_t rank);
// Takes everything of ours away, but for what stands in `kept`: that was seen to be somebody
// else's.
[[nodiscard]] model::ApiRequest withdraw_request(const Pod& pod,
                                                 std::optional<ranking::Publish> kept = {});

// What the two would make of a pod in the end, in mind. The companion stays as it is.
void put_on(Pod& pod, ranking::Publish publish, std::int32_t rank);
void take_off_ours(Pod& pod);

// Whether the API server has kept status.cost. One that does not know the field drops it silently.
[[nodiscard]] bool carries_status_rank(std::string_view answered_pod);

}  // namespace ebb::control
