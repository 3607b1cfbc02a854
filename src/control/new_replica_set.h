// The ReplicaSet that a Deployment makes for its template, as it goes to the API server.
#pragma once

#include <boost/json/object.hpp>

#include "control/deployment_view.h"

namespace ebb::control::deployments {

// Its name follows from the template and the Deployment's count of collisions, so that making it
// twice makes it once.
[[nodiscard]] boost::json::object make_new_set(const Snapshot& snapshot, bool with_picker);

// Gives an object the kind that lists leave out.
void complete_type(boost::json::object& object, std::string_view kind);

}  // namespace ebb::control::deployments
