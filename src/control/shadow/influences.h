// What influences ebb's choice in a scale-down that another controller carries out, apart from the
// picker: co-located pods, and the ranks of the policy.
#pragma once  // private to its room

#include "control/controller/controller.h"
#include "control/core/work_budget.h"
#include "control/shadow/followed_scale_down.h"

namespace ebb::control::shadow {

// `set` is the ReplicaSet in the store. Ranks are computed here, as a ranker would have published
// them: a policy in shadow mode has no published ranks.
[[nodiscard]] FollowedScaleDown::Influences gather_influences(FollowedScaleDown& down,
                                                              const ReplicaSet& set,
                                                              const ControllerContext& context,
                                                              WorkBudget& budget);

}  // namespace ebb::control::shadow
