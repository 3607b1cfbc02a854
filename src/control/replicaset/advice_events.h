// The events that explain what ranks and a picker did to a scale-down.
#pragma once  // private to its room

#include <span>
#include <vector>

#include "control/controller/controller.h"
#include "control/replicaset/replica_set_state.h"
#include "control/scaledown/scale_down.h"
#include "model/records/feature_gates.h"
#include "model/records/pod.h"

namespace ebb::control::replicasets {

// Without object and component. `state` remembers what is recorded only once.
[[nodiscard]] std::vector<Event> explain_advice(const Advice& advice,
                                                std::span<const model::Pod* const> active,
                                                model::FeatureGates gates, ReplicaSetState& state);

}  // namespace ebb::control::replicasets
