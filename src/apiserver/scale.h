// The /scale subresource of workloads: an autoscaling/v1 Scale made from a workload, and a
// workload changed by one.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/managed_fields.h"
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

// Who owns the replicas, as entries of a Scale. The entries are those of the workload.
[[nodiscard]] ManagedFields scale_managers(const ManagedFields& workload);
// The entries of the workload after those of its Scale became these.
[[nodiscard]] ManagedFields with_scale_managers(const schema::Kind& kind, ManagedFields workload,
                                                const ManagedFields& scale);

}  // namespace ebb::apiserver
