#include "runtime/telemetry/picker_status_log.h"

#include <fmt/format.h>

namespace ebb::runtime {
namespace {

using picker::Outcome;

// Beyond this limit something else is wrong, and lines may be repeated.
constexpr std::size_t kMaxFailing = 10'000;

std::string describe(const control::Decision::Picker& picker) {
  std::string text(to_string(picker.outcome));
  if (picker.outcome == Outcome::kStatusCode) text += fmt::format(" {}", picker.code);
  if (!picker.problem.empty()) {
    text += ": " + picker.problem;
  } else if (!picker.detail.empty()) {
    text += ": " + picker.detail;
  }
  if (picker.attempts > 1) text += fmt::format(" ({} attempts)", picker.attempts);
  return text;
}

std::vector<control::Field> fields_of(const control::Decision& decision) {
  const control::Decision::Picker& picker = *decision.picker;
  return {{"replicaSet", control::ObjectName{decision.namespace_name, decision.replica_set}},
          {"owner", decision.owner},
          {"picker", picker.endpoint},
          {"outcome", to_string(picker.outcome)},
          {"code", picker.code},
          {"attempts", picker.attempts},
          {"decision", decision.id}};
}

}  // namespace

std::optional<PickerStatusLog::Line> PickerStatusLog::observe(const control::Decision& decision) {
  if (!decision.picker || decision.picker->outcome == Outcome::kNotNeeded) return std::nullopt;
  const control::Decision::Picker& picker = *decision.picker;
  const std::string workload =
      fmt::format("{}/{}", decision.namespace_name,
                  decision.owner.empty() ? decision.replica_set : decision.owner);
  const std::string key = fmt::format("{} {}", workload, picker.endpoint);
  const auto known = failing_.find(key);
  if (picker.outcome == Outcome::kAnswered || picker.outcome == Outcome::kEmpty) {
    if (known == failing_.end()) return std::nullopt;
    failing_.erase(known);
    return Line{.text = fmt::format("picker {} of {} answers again", picker.endpoint, workload),
                .fields = fields_of(decision)};
  }
  const State state{.outcome = picker.outcome, .code = picker.code};
  if (known != failing_.end() && known->second == state) return std::nullopt;
  if (failing_.size() >= kMaxFailing) failing_.clear();
  failing_.insert_or_assign(key, state);
  return Line{.bad = true,
              .text = fmt::format("picker {} of {}: {}; its pods go in the default order",
                                  picker.endpoint, workload, describe(picker)),
              .fields = fields_of(decision)};
}

}  // namespace ebb::runtime
