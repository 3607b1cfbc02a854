// The containers of pods and pod templates.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/findings.h"
#include "schema/field_path.h"

namespace ebb::apiserver {

using schema::FieldPath;

// Of a pod's spec, with the names of its volumes.
void check_containers(const boost::json::object& spec, const std::set<std::string_view>& volumes,
                      const FieldPath& path, Findings& findings);

}  // namespace ebb::apiserver
