// Which pods of a ReplicaSet go now, and the record of why.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "control/counsel.h"
#include "control/decision.h"
#include "control/expectations.h"
#include "control/port.h"
#include "control/rank_advice.h"
#include "control/store.h"

namespace ebb::control {

// At most so many pods are created or deleted in one pass.
inline constexpr std::size_t kBurst = 500;

struct ScaleDown {
  std::vector<PodName> victims;  // in the order of the record
  Decision decision;             // without the outcomes
};

// What was asked before anybody is chosen.
struct Advice {
  RankAdvice ranks;
  Nanoseconds waited_for_ranks_ns = 0;
  Counsel counsel;
};

// `active` are the pods that the ReplicaSet claims; as many of them go as `advice.counsel` says,
// which must be more than none and not more than there are.
[[nodiscard]] ScaleDown choose_victims(const ReplicaSet& set,
                                       std::span<const model::Pod* const> active, Advice advice,
                                       const ControllerContext& context, Timestamp now);

// `3 of 8 pods go: 2 by deletion cost, 1 by ready age`, for the event.
[[nodiscard]] std::string describe(const Decision& decision);

}  // namespace ebb::control
