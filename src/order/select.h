// Builds the lineup of a decision from its inputs.
#pragma once

#include <cstdint>
#include <span>

#include "base/timestamp.h"
#include "model/records/feature_gates.h"
#include "model/records/pod.h"
#include "order/candidate.h"
#include "order/lineup.h"
#include "order/related.h"

namespace ebb::order {

// All inputs of the choice; equal questions get equal answers.
struct Question {
  std::span<const model::Pod* const> candidates;
  const NodeCounts& co_located;
  Timestamp now;
  model::FeatureGates gates;
  // The label is in the ReplicaSet's own template, so it does not distinguish pods.
  bool prefer_label_in_template = false;
  // Parallel to the candidates, or empty if there are no ranks or verdicts.
  std::span<const std::int32_t> cost_ranks;
  std::span<const Verdict> verdicts;
  // Whether the deletion cost of a pod counts; null: it always does.
  bool (*cost_counts)(const model::Pod& pod) = nullptr;
};

// The lineup of all candidates. The caller orders as many as it needs.
[[nodiscard]] Lineup line_up(const Question& question);

}  // namespace ebb::order
