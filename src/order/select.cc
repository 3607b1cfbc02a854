#include "order/select.h"

#include <vector>

#include "base/check.h"

namespace ebb::order {

Lineup line_up(const Question& question) {
  using model::Gate;
  const std::size_t count = question.candidates.size();
  EBB_CHECK(question.cost_ranks.empty() || question.cost_ranks.size() == count);
  EBB_CHECK(question.verdicts.empty() || question.verdicts.size() == count);

  OrderContext context;
  context.now = question.now;
  context.prefer_label =
      question.gates.on(Gate::kPreferForScaleDown) && !question.prefer_label_in_template;
  context.deletion_cost = question.gates.on(Gate::kPodDeletionCost);
  context.cost_ranks = question.gates.on(Gate::kPodCostRanking) && !question.cost_ranks.empty();
  context.picker = question.gates.on(Gate::kDownscalePodPicker) && !question.verdicts.empty();
  context.logarithmic = question.gates.on(Gate::kLogarithmicScaleDown);

  std::vector<Candidate> candidates(count);
  for (std::size_t i = 0; i < count; ++i) {
    Candidate& candidate = candidates[i];
    candidate.pod = question.candidates[i];
    const auto crowd = question.co_located.find(candidate.pod->node);
    candidate.co_located = crowd == question.co_located.end() ? 0 : crowd->second;
    if (context.cost_ranks) candidate.cost_rank = question.cost_ranks[i];
    if (context.picker) candidate.verdict = question.verdicts[i];
    if (question.cost_counts != nullptr)
      candidate.cost_counts = question.cost_counts(*candidate.pod);
  }
  return Lineup(std::move(candidates), context);
}

}  // namespace ebb::order
