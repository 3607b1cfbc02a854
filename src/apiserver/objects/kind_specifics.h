// The rules of single kinds, in addition to the general rules of creating and updating.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "schema/core/kind.h"

namespace ebb::apiserver {

// Tests for kinds of the core and apps groups.
[[nodiscard]] bool is_pod(const schema::Kind& kind);
[[nodiscard]] bool is_namespace(const schema::Kind& kind);
[[nodiscard]] bool is_secret(const schema::Kind& kind);

// Sets the initial state of a new object: a pod is Pending; a namespace is Active and has a
// finalizer. Call after setting defaults.
void set_first_state(const schema::Kind& kind, boost::json::object& object);

// Moves a Secret's stringData into data. Call on every write, before validation.
void fold_string_data(boost::json::object& secret);

// Guaranteed, Burstable or BestEffort, from the resources of the containers.
[[nodiscard]] std::string_view quality_of_service(const boost::json::object& pod);

}  // namespace ebb::apiserver
