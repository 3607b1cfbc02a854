// Converts the JSON of a request body to an object that follows the schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/api/status.h"
#include "schema/core/kind.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

enum class FieldValidation { kIgnore, kWarn, kStrict };

struct Decoded {
  boost::json::object object;
  std::vector<std::string> warnings;
};

// The result of parsing JSON text; malformed text is a 400. `duplicates` lists duplicate fields by
// path (spec.replicas); the last one wins.
struct ParsedJson {
  boost::json::value value;
  std::vector<std::string> duplicates;
};
[[nodiscard]] model::StatusOr<ParsedJson> parse_json(std::string_view text,
                                                     std::string_view what = "the request body");

// Makes a value follow its schema: fields in the table's order, null and zero values dropped where
// the schema says so, numbers and times in canonical form. A value of a wrong type is a 400 that
// names the field and the type. Unknown and duplicate fields are dropped; depending on `validation`
// they are a 400, warnings, or ignored.
[[nodiscard]] model::StatusOr<Decoded> conform(const schema::Kind& kind, ParsedJson parsed,
                                               FieldValidation validation);

// Sets the schema's defaults in `object` and everything below it.
void apply_defaults(const schema::ObjectSchema& schema, boost::json::object& object);

}  // namespace ebb::apiserver
