#include "control/scaledown/selection.h"

#include <algorithm>

#include "control/cache/rank_carriers.h"
#include "order/select.h"

namespace ebb::control {
namespace {

// A label in the template is on every pod, so it distinguishes none.
bool label_in_template(const model::ReplicaSet& set) {
  if (set.template_labels == nullptr) return false;
  const auto& labels = set.template_labels->labels;
  return std::any_of(labels.begin(), labels.end(), [](const model::Label& label) {
    return label.key.view() == model::kPreferForScaleDownLabel;
  });
}

bool is_the_rankers(const model::Pod& pod) {
  return rank_on_pod(pod, ranking::Publish::kPodDeletionCost).rank.has_value();
}
bool is_not_the_rankers(const model::Pod& pod) { return !is_the_rankers(pod); }
bool is_none(const model::Pod& /*pod*/) { return false; }

// Which deletion costs count; null: all of them.
auto costs_that_count(const SelectionQuestion& question) -> bool (*)(const model::Pod&) {
  if (question.own_costs_count) return question.foreign_costs_count ? nullptr : &is_the_rankers;
  return question.foreign_costs_count ? &is_not_the_rankers : &is_none;
}

}  // namespace

order::Lineup line_up_candidates(const SelectionQuestion& question) {
  return order::line_up({question.candidates, question.co_located, question.now, question.gates,
                         label_in_template(question.set), question.ranks, question.verdicts,
                         costs_that_count(question)});
}

}  // namespace ebb::control
