#include "runtime/picker_news.h"

#include <fmt/format.h>

namespace ebb::runtime {
namespace {

using picker::Outcome;

// More than this fail only where something else is wrong; then lines may come twice.
constexpr std::size_t kMostFailing = 10'000;

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
  return {{"replicaSet", control::ObjectName{decision.name_space, decision.replica_set}},
          {"owner", decision.owner},
          {"picker", picker.endpoint},
          {"outcome", to_string(picker.outcome)},
          {"code", picker.code},
          {"attempts", picker.attempts},
          {"decision", decision.id}};
}

}  // namespace

std::optional<PickerNews::Line> PickerNews::hear(const control::Decision& decision) {
  if (!decision.picker || decision.picker->outcome == Outcome::kNotNeeded) return std::nullopt;
  const control::Decision::Picker& picker = *decision.picker;
  const std::string workload = fmt::format(
      "{}/{}", decision.name_space, decision.owner.empty() ? decision.replica_set : decision.owner);
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
  if (failing_.size() >= kMostFailing) failing_.clear();
  failing_.insert_or_assign(key, state);
  return Line{.bad = true,
              .text = fmt::format("picker {} of {}: {}; its pods go in the default order",
                                  picker.endpoint, workload, describe(picker)),
              .fields = fields_of(decision)};
}

}  // namespace ebb::runtime
