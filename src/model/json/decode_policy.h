// DownscalePolicies, PodGroupCosts and the metadata of DownscaleDecisions from JSON.
#pragma once

#include "model/json/json_value.h"
#include "model/records/policy.h"

namespace ebb::model {

[[nodiscard]] DownscalePolicy decode_policy(const JsonValue& object);
[[nodiscard]] PodGroupCost decode_pod_group_cost(const JsonValue& object);
[[nodiscard]] DownscaleDecision decode_downscale_decision(const JsonValue& object);

}  // namespace ebb::model
