// DownscalePolicies and PodGroupCosts from JSON.
#pragma once

#include "model/json_value.h"
#include "model/policy.h"

namespace ebb::model {

[[nodiscard]] DownscalePolicy decode_policy(const JsonValue& object);
[[nodiscard]] PodGroupCost decode_pod_group_cost(const JsonValue& object);

}  // namespace ebb::model
