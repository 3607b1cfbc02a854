// The structures of the schema in the words of OpenAPI.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "schema/kind.h"
#include "schema/shape.h"

namespace ebb::apiserver {

// {"$ref": "#/components/schemas/NAME"}
[[nodiscard]] boost::json::object schema_reference(std::string_view name);

// Adds the schemas of a kind and of its list, and all that they refer to.
void add_schemas(const schema::Kind& kind, boost::json::object& schemas);

// The name of the schema of a kind's list.
[[nodiscard]] std::string list_schema_name(const schema::Kind& kind);

// Names of schemas that the operations of every kind use; add_schemas adds them too.
inline constexpr std::string_view kPatchSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
inline constexpr std::string_view kStatusSchema = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";

// {"group": ..., "kind": ..., "version": ...}
[[nodiscard]] boost::json::object group_version_kind(const schema::Kind& kind);

}  // namespace ebb::apiserver
