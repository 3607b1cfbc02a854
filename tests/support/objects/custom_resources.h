// The CustomResourceDefinitions of deploy/crds.yaml, generated from the schema table, so that they
// describe what `ebb up` serves. Rules that the table cannot express, and the descriptions for
// `kubectl explain`, are added here.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "schema/core/kind.h"

namespace ebb::support {

// One definition as an API object.
[[nodiscard]] boost::json::object custom_resource(const schema::Kind& kind);

// Prints a YAML document.
[[nodiscard]] std::string to_yaml(const boost::json::object& object);

// The content of the file.
[[nodiscard]] std::string custom_resources_yaml();

}  // namespace ebb::support
