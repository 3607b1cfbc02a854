#include "control/selection.h"

#include <algorithm>

#include "control/rank_carriers.h"
#include "order/select.h"

namespace ebb::control {
namespace {

// A label that all pods of the template have marks none of them.
bool label_in_template(const model::ReplicaSet& set) {
  if (set.template_labels == nullptr) return false;
  const auto& labels = set.template_labels->labels;
  return std::any_of(labels.begin(), labels.end(), [](const model::Label& label) {
    return label.key.view() == model::kPreferForScaleDownLabel;
  });
}

bool is_not_the_rankers(const model::Pod& pod) {
  return !rank_on_pod(pod, ranking::Publish::kPodDeletionCost).rank;
}

}  // namespace

order::Lineup line_up_candidates(const SelectionQuestion& question) {
  return order::line_up({question.candidates, question.co_located, question.now, question.gates,
                         label_in_template(question.set), question.ranks, question.verdicts,
                         question.own_costs_count ? nullptr : &is_not_the_rankers});
}

}  // namespace ebb::control
