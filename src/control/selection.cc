#include "control/selection.h"

#include <algorithm>

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

}  // namespace

order::Lineup line_up_candidates(const SelectionQuestion& question) {
  return order::line_up({question.candidates, question.co_located, question.now, question.gates,
                         label_in_template(question.set), question.ranks, question.verdicts});
}

}  // namespace ebb::control
