// The mark that `ebb webhook` leaves on a pod together with the deletion cost that it writes there:
// the annotation ebb.dev/scale-down with `DECISION SIZE COST`. The value before it is in
// ebb.dev/previous-deletion-cost, which is absent if there was none.
//
// While the pod's cost is the one in the mark, ebb decides on the value before it
// (Pod::deletion_cost) and stock controllers on the cost itself (Pod::present_cost). If another
// client has changed the cost since, that value counts and the mark means nothing any more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/records/pod.h"

namespace ebb::model {

inline constexpr std::string_view kScaleDownAnnotation = "ebb.dev/scale-down";
inline constexpr std::string_view kPreviousCostAnnotation = "ebb.dev/previous-deletion-cost";

struct ScaleDownMark {
  std::string_view decision;  // id of the decision that chose the pod
  std::int32_t size = 0;      // of the ReplicaSet after the scale-down
  std::int32_t cost = 0;      // that was written; a later decision has a lower one
};

// Nothing if the text is not one that ebb writes. Its costs are below zero, so an absent or invalid
// cost never equals one.
[[nodiscard]] std::optional<ScaleDownMark> parse_mark(std::string_view text);
[[nodiscard]] std::string mark_text(const ScaleDownMark& mark);

// The mark on a pod, whether or not its cost is the one in the mark.
[[nodiscard]] std::optional<ScaleDownMark> mark_on(const Pod& pod);
// The pod's cost is the one that the webhook wrote with its mark.
[[nodiscard]] bool has_marked_cost(const Pod& pod);

// For decoders: sets present_cost, and makes deletion_cost the value before the mark. To be called
// once the annotations have been read.
void settle_marked_cost(Pod& pod);

}  // namespace ebb::model
