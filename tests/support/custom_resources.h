// The CustomResourceDefinitions of deploy/crds.yaml, made from the schema table: what `ebb up`
// serves is what they describe. Rules that the table cannot express, and the
// descriptions that `kubectl explain` shows, are added here.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "schema/kind.h"

namespace ebb::support {

// One definition, as the API has it.
[[nodiscard]] boost::json::object custom_resource(const schema::Kind& kind);

// A document of YAML.
[[nodiscard]] std::string to_yaml(const boost::json::object& object);

// All of the file.
[[nodiscard]] std::string custom_resources_yaml();

}  // namespace ebb::support
