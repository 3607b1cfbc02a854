// A second implementation of the removal order, for comparison with the real one.
//
// It compares pairs of pods rule by rule, as the rules are documented, without keys, words or
// criteria. It is slow and meant to be obvious.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/timestamp.h"
#include "model/records/feature_gates.h"
#include "model/records/pod.h"
#include "model/records/verdict.h"

namespace ebb::testing {

struct NaiveQuestion {
  std::vector<model::Pod> pods;
  std::vector<std::uint32_t> crowds;                    // for each pod
  std::optional<std::vector<std::int32_t>> cost_ranks;  // for each pod
  std::optional<std::vector<model::Verdict>> verdicts;  // for each pod
  Timestamp now;
  model::FeatureGates gates;
  bool label_in_template = false;
};

// Negative if pod number `a` goes before `b`, positive if it goes after `b`, zero if these rules do
// not decide.
[[nodiscard]] int naive_rules_1_to_7(const NaiveQuestion& question, std::size_t a, std::size_t b);
[[nodiscard]] int naive_compare(const NaiveQuestion& question, std::size_t a, std::size_t b);

// The indexes of the pods, in removal order.
[[nodiscard]] std::vector<std::size_t> naive_order(const NaiveQuestion& question);

}  // namespace ebb::testing
