// The /scale subresource of workloads: converts a workload to an autoscaling/v1 Scale, and writes a
// Scale back to the workload.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/managedfields/managed_fields.h"
#include "model/api/status.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// `workload` follows its schema, and its kind has a scale.
[[nodiscard]] boost::json::object scale_of(const schema::Kind& kind,
                                           const boost::json::object& workload);

// Sets the workload's replicas; a Scale without replicas means 0. Replicas that are not a 32-bit
// number are a 400, negative ones a 422. The caller checks the Scale's resourceVersion and uid
// against the workload.
[[nodiscard]] model::StatusOr<void> apply_scale(boost::json::object& workload,
                                                const boost::json::object& scale);

// Converts the workload's entries to those of a Scale: the owners of the replicas.
[[nodiscard]] ManagedFields scale_managers(const ManagedFields& workload);
// Returns the workload's entries after the entries of its Scale changed to these.
[[nodiscard]] ManagedFields with_scale_managers(const schema::Kind& kind, ManagedFields workload,
                                                const ManagedFields& scale);

}  // namespace ebb::apiserver
