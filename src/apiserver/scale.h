// The /scale subresource of workloads: an autoscaling/v1 Scale made from a workload, and a
// workload changed by one.
#pragma once

#include <boost/json/object.hpp>

#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// A workload that follows its schema; its kind has a scale.
[[nodiscard]] boost::json::object scale_of(const schema::Kind& kind,
                                           const boost::json::object& workload);

// Sets the workload's replicas; a Scale without them means 0. Replicas that are no 32-bit
// number are a 400, negative ones a 422. Whether the Scale's resourceVersion and uid are those
// of the workload is the caller's to check.
[[nodiscard]] model::StatusOr<void> apply_scale(boost::json::object& workload,
                                                const boost::json::object& scale);

}  // namespace ebb::apiserver
