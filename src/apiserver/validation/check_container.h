// Validates the containers of pods and pod templates.
#pragma once  // private to its room

#include <set>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/validation/field_errors.h"
#include "schema/core/field_path.h"

namespace ebb::apiserver {

using schema::FieldPath;

// `spec` is a pod's spec, `volumes` the names of its volumes.
void check_containers(const boost::json::object& spec, const std::set<std::string_view>& volumes,
                      const FieldPath& path, FieldErrors& errors);

}  // namespace ebb::apiserver
