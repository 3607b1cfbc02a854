#include "control/replicaset/advice_events.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ebb::control::replicasets {
namespace {

using picker::Outcome;

// Contains only fixed words for the outcome, because readers of events may not be entitled to learn
// about the network. Errors in the settings are shown: their author can read events.
std::string describe_failure(const Decision::Picker& picker) {
  std::string text = fmt::format("The default order decides because the picker failed: {}",
                                 to_string(picker.outcome));
  const std::string_view why = picker.problem.empty() ? explain(picker.outcome) : picker.problem;
  if (!why.empty()) text += fmt::format(" ({})", why);
  return text;
}

void explain_ranks(const RankAdvice& ranks, Nanoseconds waited_ns, std::vector<Event>& events) {
  if (!ranks.outcome || fallback_cause(*ranks.outcome).empty()) return;
  const std::string after =
      waited_ns == 0 ? "" : fmt::format(", after waiting {} s", waited_ns / kNanosecondsPerSecond);
  events.push_back({.warning = true,
                    .reason = "RanksIgnored",
                    .message = fmt::format("The default order decides{}: {}", after,
                                           fmt::join(ranks.problems, "; "))});
}

void explain_picker(const PickerAdvice& advice, std::vector<Event>& events) {
  if (!advice.picker) return;
  if (advice.breaker == Breakers::Change::kOpened) {
    events.push_back({.warning = true,
                      .reason = "PickerBreakerOpen",
                      .message = "The picker failed repeatedly and is not called for a while"});
  } else if (advice.breaker == Breakers::Change::kClosed) {
    events.push_back({.reason = "PickerBreakerClosed", .message = "The picker answers again"});
  }
  const Outcome outcome = advice.picker->outcome;
  const bool has_event_of_its_own = outcome == Outcome::kBreakerOpen;
  if (is_fallback(outcome) && outcome != Outcome::kEmpty && !has_event_of_its_own) {
    events.push_back(
        {.warning = true, .reason = "PickerFailed", .message = describe_failure(*advice.picker)});
  }
}

}  // namespace

std::vector<Event> explain_advice(const Advice& advice, std::span<const model::Pod* const> active,
                                  model::FeatureGates gates, ReplicaSetState& state) {
  std::vector<Event> events;
  explain_ranks(advice.ranks, advice.waited_for_ranks_ns, events);
  explain_picker(advice.picker_advice, events);
  // P10: recorded once, because using both is not an error.
  const auto has_cost = [](const model::Pod* pod) { return pod->deletion_cost != 0; };
  if (!advice.picker_advice.verdicts.empty() && !state.costs_reported &&
      gates.on(model::Gate::kPodDeletionCost) && advice.ranks.foreign_costs_count &&
      std::any_of(active.begin(), active.end(), has_cost)) {
    state.costs_reported = true;
    events.push_back(
        {.reason = "PickerAndDeletionCost",
         .message = "Both a picker and deletion costs are in use; deletion costs come first, so "
                    "pods that the picker chose may stay"});
  }
  return events;
}

}  // namespace ebb::control::replicasets
