// Whether an object may be stored. Field paths and messages are Kubernetes' own.
#pragma once

#include <vector>

#include <boost/json/object.hpp>

#include "model/feature_gates.h"
#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// An object that follows its schema and has its defaults. `old` is what it replaces, or
// nullptr on create; an update is also checked for fields that must not change. All causes,
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
