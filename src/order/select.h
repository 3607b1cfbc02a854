// From pods to victims: the inputs of a decision and the lineup they give.
#pragma once

#include <cstdint>
#include <span>

#include "base/timestamp.h"
#include "model/feature_gates.h"
#include "model/pod.h"
#include "order/candidate.h"
#include "order/lineup.h"
#include "order/related.h"

namespace ebb::order {

// Everything the choice depends on; the same question always gets the same answer.
struct Question {
  std::span<const model::Pod* const> candidates;
  const NodeCounts& co_located;
  Timestamp now;
  model::FeatureGates gates;
  // The label stands in the ReplicaSet's own template, so it marks no pod.
  bool prefer_label_in_template = false;
  // Parallel to the candidates, or empty: no ranks, no answer.
  std::span<const std::int32_t> cost_ranks;
  std::span<const Verdict> verdicts;
  // Whether the deletion cost of a pod counts; null: that of every pod does.
  bool (*cost_counts)(const model::Pod& pod) = nullptr;
};

// The lineup of all candidates; order as many as are needed.
[[nodiscard]] Lineup line_up(const Question& question);

}  // namespace ebb::order
