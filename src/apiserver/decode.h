// From the JSON of a request body to an object that follows the schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/status.h"
#include "schema/kind.h"
#include "schema/shape.h"

namespace ebb::apiserver {

enum class FieldValidation { kIgnore, kWarn, kStrict };

struct Decoded {
  boost::json::object object;
  std::vector<std::string> warnings;
};

// Parses JSON text; malformed text is a 400. Duplicate fields are found here (`duplicates`
// names them by path: spec.replicas), the last one wins.
struct ParsedJson {
  boost::json::value value;
  std::vector<std::string> duplicates;
};
[[nodiscard]] model::StatusOr<ParsedJson> parse_json(std::string_view text,
                                                     std::string_view what = "the request body");

// Makes a value follow its shape: fields in the table's order, null and zero values dropped
// where the shape says so, numbers and times in the form in which Kubernetes keeps them. A
// value of a wrong type is a 400 that names field and type. Unknown fields (and the
// duplicates found while parsing) are dropped, and by `validation` a 400, warnings, or
// nothing.
[[nodiscard]] model::StatusOr<Decoded> conform(const schema::Kind& kind, ParsedJson parsed,
                                               FieldValidation validation);

// Fills in the defaults of the shape, everywhere below `object`.
void apply_defaults(const schema::Shape& shape, boost::json::object& object);

}  // namespace ebb::apiserver
