// The part of a pass that asks the picker, and tells people how that went.
#include <algorithm>

#include <fmt/format.h>

#include "control/counsel.h"
#include "control/replica_set_pass.h"
#include "control/scale_down.h"

namespace ebb::control {

using picker::Outcome;

namespace {

// For the event, or empty: words of the outcome and no others, for whoever may read events may not
// be one who may look around in the network. What is wrong with settings, their writer may know.
std::string describe_failure(const Decision::Picker& picker) {
  const bool has_event_of_its_own = picker.outcome == Outcome::kBreakerOpen;
  if (!is_fallback(picker.outcome) || picker.outcome == Outcome::kEmpty || has_event_of_its_own) {
    return {};
  }
  std::string text = fmt::format("The default order decides, because of the picker: {}",
                                 to_string(picker.outcome));
  const std::string_view why = picker.problem.empty() ? explain(picker.outcome) : picker.problem;
  if (!why.empty()) text += fmt::format(" ({})", why);
  return text;
}

}  // namespace

void ReplicaSetPass::tell_counsel(const Counsel& counsel, const Claimed& pods, Now now) {
  if (!counsel.picker) return;
  const Outcome outcome = counsel.picker->outcome;
  Telemetry& telemetry = around_.context.telemetry;
  telemetry.count(Count::kConsultations, to_string(outcome));
  if (is_fallback(outcome)) telemetry.count(Count::kFallbacks, to_string(outcome));
  breaker_open_ = outcome == Outcome::kBreakerOpen || counsel.breaker == Breakers::Change::kOpened;
  if (counsel.breaker == Breakers::Change::kOpened) {
    note(true, "PickerBreakerOpen",
         "The picker has failed again and again, and is not asked for a while", now, "ebb");
  } else if (counsel.breaker == Breakers::Change::kClosed) {
    note(false, "PickerBreakerClosed", "The picker answers again", now, "ebb");
  }
  if (const std::string failure = describe_failure(*counsel.picker); !failure.empty()) {
    note(true, "PickerFailed", failure, now, "ebb");
  }
  if (!counsel.verdicts.empty()) tell_of_costs(pods, now);
}

// P10: once, for it is no fault.
void ReplicaSetPass::tell_of_costs(const Claimed& pods, Now now) {
  if (memory_.told_of_costs || !around_.context.gates.on(model::Gate::kPodDeletionCost) ||
      std::none_of(pods.active.begin(), pods.active.end(),
                   [](const model::Pod* pod) { return pod->deletion_cost != 0; })) {
    return;
  }
  memory_.told_of_costs = true;
  note(false, "PickerAndDeletionCost",
       "Both a picker and deletion costs are in use; costs go first, so pods that the picker "
       "chose may stay",
       now, "ebb");
}

void ReplicaSetPass::report_to_policy() {
  if (policy_.empty()) return;
  around_.reports.decided({.namespace_name = key_.namespace_name, .name = policy_},
                          {.time = decision_->time,
                           .replica_set = key_.name,
                           .victims = decision_->going(),
                           .outcome = decision_->picker->outcome,
                           .id = decision_->id,
                           .problem = decision_->picker->problem},
                          breaker_open_);
}

}  // namespace ebb::control
