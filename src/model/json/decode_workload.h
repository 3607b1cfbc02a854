// ReplicaSets and Deployments from JSON.
#pragma once

#include "model/json/json_value.h"
#include "model/records/workload.h"

namespace ebb::model {

[[nodiscard]] ReplicaSet decode_replica_set(const JsonValue& object);
[[nodiscard]] Deployment decode_deployment(const JsonValue& object);

}  // namespace ebb::model
