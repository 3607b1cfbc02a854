// The ReplicaSet that a Deployment creates for its template.
#pragma once  // private to its room

#include <boost/json/object.hpp>

#include "control/deployment/deployment_view.h"

namespace ebb::control::deployments {

// Its name is derived from the template and the Deployment's collision count, so creating it twice
// creates it once.
[[nodiscard]] boost::json::object make_new_set(const Snapshot& snapshot, bool with_picker);

// Sets the kind and apiVersion that list items omit.
void complete_type(boost::json::object& object, std::string_view kind);

}  // namespace ebb::control::deployments
