// The part of a pass that asks the picker, and tells people how that went.
#include <algorithm>

#include <fmt/format.h>

#include "control/counsel.h"
#include "control/replica_set_pass.h"
#include "control/scale_down.h"

namespace ebb::control {

using picker::Outcome;

// A pass does not wait for an answer. It begins the consultation, writes the status and ends; the
// answer brings the ReplicaSet up again, and then everything is looked at anew.
void ReplicaSetPass::scale_down(const ReplicaSet& set, const Claimed& pods, std::size_t surplus,
                                Now now) {
  Counsel counsel = take_counsel(set, pods.active, surplus, around_.context, around_.desk, now);
  if (counsel.awaited) return write_status(now);
  if (!around_.safeguards.looks_again_after_answers && counsel.surplus_asked_about > 0) {
    counsel.surplus = std::min(counsel.surplus_asked_about, pods.active.size());
  }
  tell_counsel(counsel, pods, now);
  delete_victims(choose_victims(set, pods.active, std::move(counsel), around_.context, now.wall),
                 now);
}

void ReplicaSetPass::tell_counsel(const Counsel& counsel, const Claimed& pods, Now now) {
  if (!counsel.picker) return;
  const Decision::Picker& picker = *counsel.picker;
  Telemetry& telemetry = around_.context.telemetry;
  telemetry.count(Count::kConsultations, to_string(picker.outcome));
  if (is_fallback(picker.outcome)) telemetry.count(Count::kFallbacks, to_string(picker.outcome));
  if (counsel.breaker == Breakers::Change::kOpened) {
    note(true, "PickerBreakerOpen",
         "The picker has failed again and again, and is not asked for a while", now, "ebb");
  } else if (counsel.breaker == Breakers::Change::kClosed) {
    note(false, "PickerBreakerClosed", "The picker answers again", now, "ebb");
  }
  if (picker.outcome == Outcome::kBadSettings) {
    note(true, "PickerFailed",
         fmt::format("The picker was not asked, and the default order decides: {}",
                     picker.problem.empty() ? "a header's value from a Secret cannot be sent"
                                            : picker.problem),
         now, "ebb");
  } else if (is_fallback(picker.outcome) && picker.outcome != Outcome::kEmpty &&
             picker.outcome != Outcome::kBreakerOpen) {
    note(true, "PickerFailed",
         fmt::format("The default order decides, because of the picker: {}",
                     to_string(picker.outcome)),
         now, "ebb");
  }
  const bool costs = around_.context.gates.on(model::Gate::kPodDeletionCost) &&
                     std::any_of(pods.active.begin(), pods.active.end(),
                                 [](const model::Pod* pod) { return pod->deletion_cost != 0; });
  if (costs && !counsel.verdicts.empty() && !memory_.told_of_two_masters) {
    memory_.told_of_two_masters = true;
    note(false, "PickerAndDeletionCost",
         "Both a picker and deletion costs are in use; costs go first, so pods that the picker "
         "chose may stay",
         now, "ebb");
  }
}

}  // namespace ebb::control
