#include "model/records/scale_down_mark.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/records/deletion_cost.h"
#include "model/records/pod_text.h"

namespace ebb::model {
namespace {

// The uid of a ReplicaSet, a number and a time. Marks with a longer id are not ebb's.
constexpr std::size_t kLongestDecisionId = 128;

bool is_decision_id(std::string_view text) {
  return !text.empty() && text.size() <= kLongestDecisionId &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

std::optional<ScaleDownMark> parse_mark(std::string_view text) {
  const std::size_t first = text.find(' ');
  const std::size_t last = text.rfind(' ');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const std::string_view decision = text.substr(0, first);
  const auto size = parse_number(text.substr(first + 1, last - first - 1));
  const auto cost = parse_deletion_cost(text.substr(last + 1));
  if (!is_decision_id(decision) || !size || *size < 0 || !cost || *cost >= 0) {
    return std::nullopt;
  }
  return ScaleDownMark{.decision = decision, .size = *size, .cost = *cost};
}

std::string mark_text(const ScaleDownMark& mark) {
  return fmt::format("{} {} {}", mark.decision, mark.size, mark.cost);
}

std::optional<ScaleDownMark> mark_on(const Pod& pod) {
  if (pod.scale_down_mark.empty()) return std::nullopt;
  return parse_mark(pod.scale_down_mark.view());
}

bool has_marked_cost(const Pod& pod) {
  const auto mark = mark_on(pod);
  return mark && mark->cost == pod.present_cost;
}

void settle_marked_cost(Pod& pod) {
  pod.present_cost = pod.deletion_cost;
  const auto mark = mark_on(pod);
  if (!mark || !pod.deletion_cost_valid || mark->cost != pod.deletion_cost) return;
  pod.deletion_cost = 0;
  pod.deletion_cost_set = false;
  pod.deletion_cost_valid = false;
  if (!pod.previous_cost.empty()) read_deletion_cost(pod.previous_cost.view(), pod);
}

}  // namespace ebb::model
