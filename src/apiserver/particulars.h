// What single kinds need beside the general rules of creating and updating.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "schema/kind.h"

namespace ebb::apiserver {

// Kinds of the core and apps groups by name.
[[nodiscard]] bool is_pod(const schema::Kind& kind);
[[nodiscard]] bool is_namespace(const schema::Kind& kind);
[[nodiscard]] bool is_secret(const schema::Kind& kind);

// What a new object starts with: a pod is Pending, a namespace Active and held by a finalizer.
// Called when defaults are in place.
void set_first_state(const schema::Kind& kind, boost::json::object& object);

// Secrets: stringData is written into data. Called on every write, before validation.
void fold_string_data(boost::json::object& secret);

// Guaranteed, Burstable or BestEffort, from the resources of the containers.
[[nodiscard]] std::string_view quality_of_service(const boost::json::object& pod);

}  // namespace ebb::apiserver
