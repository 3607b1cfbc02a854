#include "support/order/naive_order.h"

#include <algorithm>

namespace ebb::testing {
namespace {

using model::Gate;
using model::Phase;
using model::Pod;
using model::Verdict;

int true_first(bool a, bool b) {
  if (a && !b) return -1;
  if (b && !a) return 1;
  return 0;
}

template <class Value>
int smaller_first(Value a, Value b) {
  if (a < b) return -1;
  if (b < a) return 1;
  return 0;
}

template <class Value>
int greater_first(Value a, Value b) {
  return smaller_first(b, a);
}

bool counts_as_pending(Phase phase) { return phase != Phase::kRunning && phase != Phase::kUnknown; }

int by_phase(Phase a, Phase b) {
  if (const int order = true_first(counts_as_pending(a), counts_as_pending(b))) return order;
  return true_first(a == Phase::kUnknown, b == Phase::kUnknown);
}

int by_verdict(Verdict a, Verdict b) {
  if (const int order = true_first(a == Verdict::kChosen, b == Verdict::kChosen)) return order;
  return true_first(a == Verdict::kTied, b == Verdict::kTied);
}

// How often an age can be halved before nothing is left; none for the future.
int halvings(Timestamp since, Timestamp now) {
  const auto age = static_cast<long double>(now.since_epoch_ns()) -
                   static_cast<long double>(since.since_epoch_ns());
  int count = 0;
  for (long double rest = 1; rest <= age && count < 63; rest *= 2) ++count;
  return count;
}

int by_age(Timestamp a, Timestamp b, const NaiveQuestion& question) {
  if (const int order = true_first(a.is_zero(), b.is_zero())) return order;
  if (a.is_zero()) return 0;
  if (!question.gates.on(Gate::kLogarithmicScaleDown) || question.now.is_zero()) {
    return greater_first(a.since_epoch_ns(), b.since_epoch_ns());
  }
  return smaller_first(halvings(a, question.now), halvings(b, question.now));
}

int rules_8_to_11(const NaiveQuestion& question, const Pod& a, const Pod& b) {
  if (a.ready && b.ready) {
    if (const int order = by_age(a.ready_since, b.ready_since, question)) return order;
  }
  if (const int order = greater_first(a.restarts, b.restarts)) return order;
  if (const int order = greater_first(a.sidecar_restarts, b.sidecar_restarts)) return order;
  if (const int order = by_age(a.created, b.created, question)) return order;
  return a.uid.view().compare(b.uid.view());
}

}  // namespace

int naive_rules_1_to_7(const NaiveQuestion& question, std::size_t i, std::size_t j) {
  const Pod& a = question.pods[i];
  const Pod& b = question.pods[j];
  const model::FeatureGates& gates = question.gates;
  if (const int order = true_first(a.node.empty(), b.node.empty())) return order;
  if (const int order = by_phase(a.phase, b.phase)) return order;
  if (const int order = true_first(!a.ready, !b.ready)) return order;
  if (gates.on(Gate::kPreferForScaleDown) && !question.label_in_template) {
    const int order = true_first(a.prefer_for_scale_down, b.prefer_for_scale_down);
    if (order != 0) return order;
  }
  if (gates.on(Gate::kPodDeletionCost)) {
    if (const int order = smaller_first(a.deletion_cost, b.deletion_cost)) return order;
  }
  if (gates.on(Gate::kPodCostRanking) && question.cost_ranks) {
    const auto& ranks = *question.cost_ranks;
    if (const int order = greater_first(ranks[i], ranks[j])) return order;
  }
  if (gates.on(Gate::kDownscalePodPicker) && question.verdicts) {
    return by_verdict((*question.verdicts)[i], (*question.verdicts)[j]);
  }
  return greater_first(question.crowds[i], question.crowds[j]);
}

int naive_compare(const NaiveQuestion& question, std::size_t i, std::size_t j) {
  if (const int order = naive_rules_1_to_7(question, i, j)) return order;
  return rules_8_to_11(question, question.pods[i], question.pods[j]);
}

std::vector<std::size_t> naive_order(const NaiveQuestion& question) {
  std::vector<std::size_t> left(question.pods.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::vector<std::size_t> order;
  while (!left.empty()) {
    // The pod that goes before all others goes next.
    const auto next = std::find_if(left.begin(), left.end(), [&](std::size_t i) {
      return std::all_of(left.begin(), left.end(), [&](std::size_t j) {
        return i == j || naive_compare(question, i, j) < 0;
      });
    });
    if (next == left.end()) break;  // pods that go in circles; the caller misses them
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

}  // namespace ebb::testing
