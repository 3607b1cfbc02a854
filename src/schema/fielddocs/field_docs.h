// The documentation of structures and fields, one sentence each. `kubectl explain` and the CRDs of
// ebb's own kinds in deploy/crds.yaml show it.
//
// field_docs_*.cc hold the sentences, schemas_*.cc the structures. Every served field has a
// sentence (field_docs_test.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/core/object_schema.h"

namespace ebb::schema {

// The doc of a structure; empty if there is none, as for structures that are not served.
[[nodiscard]] std::string_view field_doc_of(const ObjectSchema& schema);
[[nodiscard]] std::string_view field_doc_of(std::string_view schema_name);

// The doc of a JSON field, including members of inlined fields.
[[nodiscard]] std::string_view field_doc_of(const ObjectSchema& schema,
                                            std::string_view field_name);

// All documented places, as ObjectSchema or ObjectSchema.field, for a test that finds docs without
// a field.
[[nodiscard]] std::vector<std::string> documented_fields();

}  // namespace ebb::schema
