// Validates objects before they are stored. Field paths and messages are Kubernetes' own.
#pragma once

#include <vector>

#include <boost/json/object.hpp>

#include "model/api/status.h"
#include "model/records/feature_gates.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// Validates an object that follows its schema and has its defaults. `old` is the object that it
// replaces, nullptr on create; an update is also checked for immutable fields. Returns all causes
// in the order of the fields.
[[nodiscard]] std::vector<model::StatusCause> validate(const schema::Kind& kind,
                                                       const boost::json::object& object,
                                                       const boost::json::object* old,
                                                       const model::FeatureGates& gates = {});

// The same for a write to the /status subresource.
[[nodiscard]] std::vector<model::StatusCause> validate_status(
    const schema::Kind& kind, const boost::json::object& object, const boost::json::object& old,
    const model::FeatureGates& gates = {});

}  // namespace ebb::apiserver
