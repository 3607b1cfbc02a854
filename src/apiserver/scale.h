// The /scale subresource of workloads: autoscaling/v1 Scale.
#pragma once

#include <boost/json/object.hpp>

#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

[[nodiscard]] boost::json::object scale_of(const schema::Kind& kind,
                                           const boost::json::object& workload);

// Takes over the replicas. Preconditions are the caller's.
[[nodiscard]] model::StatusOr<void> apply_scale(boost::json::object& workload,
                                                const boost::json::object& scale);

}  // namespace ebb::apiserver
