// The schema's structures as OpenAPI schemas.
#pragma once  // private to its room

#include <string_view>

#include <boost/json/object.hpp>

#include "schema/core/kind.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

// {"$ref": "#/components/schemas/NAME"}
[[nodiscard]] boost::json::object schema_reference(std::string_view name);

// Adds the schema of a kind and every schema that it refers to.
void add_schemas(const schema::Kind& kind, boost::json::object& schemas);
// Adds the schema of the kind's list, and the other schemas that its operations need.
void add_schemas_of_lists(const schema::Kind& kind, boost::json::object& schemas);

// The name of the schema of a kind's list.
[[nodiscard]] std::string list_schema_name(const schema::Kind& kind);

inline constexpr std::string_view kPatchSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";

// {"group": ..., "kind": ..., "version": ...}
[[nodiscard]] boost::json::object group_version_kind(const schema::Kind& kind);

}  // namespace ebb::apiserver
