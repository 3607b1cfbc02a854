// Chooses the pods of a ReplicaSet that go now, and records why.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "control/cache/store.h"
#include "control/controller/controller.h"
#include "control/core/decision.h"
#include "control/core/pod_name.h"
#include "control/scaledown/picker_advice.h"
#include "control/scaledown/rank_advice.h"
#include "order/lineup.h"
#include "order/related.h"

namespace ebb::control {

// Maximum number of pods created or deleted in one sync.
inline constexpr std::size_t kBurst = 500;

struct ScaleDown {
  std::vector<PodName> victims;  // in the order of the record
  Decision decision;             // without outcomes
};

// The input from picker and ranks, collected before victims are chosen.
struct Advice {
  RankAdvice ranks;
  Nanoseconds waited_for_ranks_ns = 0;
  PickerAdvice picker_advice;
};

// `active` are the pods that the ReplicaSet claims; `advice.picker_advice` says how many of them
// go, which must be at least one and at most all.
[[nodiscard]] ScaleDown choose_victims(const ReplicaSet& set,
                                       std::span<const model::Pod* const> active, Advice advice,
                                       const ControllerContext& context, Timestamp now);

// The parts of choose_victims(), for decisions about copies of pods. All records are of one pool.
//
// The active related pods on each node.
[[nodiscard]] order::NodeCounts count_co_located(const ReplicaSet& set,
                                                 std::span<const model::Pod* const> active,
                                                 const Store& store);
// The candidates with all advice applied, not ordered yet.
[[nodiscard]] order::Lineup line_up(const model::ReplicaSet& set,
                                    std::span<const model::Pod* const> active,
                                    const order::NodeCounts& co_located, const Advice& advice,
                                    model::FeatureGates gates, Timestamp now);
// The record of removing the first `surplus` of a lineup that is ordered so far. Moves the records
// of picker and ranking out of the advice.
[[nodiscard]] Decision record_choice(const model::ReplicaSet& set, const order::Lineup& lineup,
                                     std::size_t surplus, Advice& advice, model::FeatureGates gates,
                                     Timestamp now);

// `3 of 8 pods go: 2 by deletion cost, 1 by ready age`, for the event.
[[nodiscard]] std::string describe(const Decision& decision);

}  // namespace ebb::control
