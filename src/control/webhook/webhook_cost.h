// The deletion costs that the webhook writes on victims, and how it puts the values before them
// back.
//
// A cost is -1,000,000,000 minus the seconds since the beginning of 2026 at the decision. So a
// later decision undercuts what an earlier one has left on pods, even where that is not visible
// yet, and both undercut every cost that people write. Patches test the uid and the value that they
// replace, not the revision: the status of pods changes all the time.
#pragma once  // private to its room

#include <cstdint>
#include <optional>

#include "base/timestamp.h"
#include "control/cache/store.h"
#include "model/api/api.h"
#include "model/records/scale_down_mark.h"

namespace ebb::control {

// The cost of a decision at this time. It is below `lowest`, the lowest that is known of an earlier
// decision; the time alone does not distinguish decisions of the same second.
[[nodiscard]] std::int32_t cost_of_decision(Timestamp wall, std::optional<std::int32_t> lowest);

// When a decision with this cost was made, to the second.
[[nodiscard]] Timestamp time_of_cost(std::int32_t cost);

// Whether the pod has no cost, as far as the cache shows.
[[nodiscard]] bool has_no_cost(const Pod& pod);
// Lowers the cost of a victim. The value before it is kept on the pod, unless an earlier mark has
// kept it already. For a pod without a cost, the request has two forms, of which the API server
// refuses the wrong one: `has_annotations` says which, as the cache may be behind.
[[nodiscard]] model::ApiRequest lower_cost_request(const Pod& pod, const model::ScaleDownMark& mark,
                                                   bool has_annotations);

// Puts the value before the mark back, and removes the mark. If another client has changed the cost
// since, only the mark is removed. The pod must have a mark.
[[nodiscard]] model::ApiRequest restore_cost_request(const Pod& pod);

}  // namespace ebb::control
