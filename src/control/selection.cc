#include "control/selection.h"

#include <algorithm>
#include <utility>

#include "order/select.h"
#include "ranking/published_ranks.h"

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

}  // namespace

Selection line_up_candidates(const SelectionQuestion& question) {
  ranking::PublishedRanks ranks;
  if (question.gates.on(model::Gate::kPodCostRanking)) {
    ranks = ranking::find_published_ranks(question.set, question.candidates, question.costs);
  }
  return {order::line_up({question.candidates, question.co_located, question.now, question.gates,
                          label_in_template(question.set), ranks.of_pods, question.verdicts}),
          std::move(ranks.carrier), std::move(ranks.incomplete)};
}

}  // namespace ebb::control
