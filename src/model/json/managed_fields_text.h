// Cuts metadata.managedFields out of an object's JSON before parsing.
//
// The field is often as long as the rest of the object, and read-only clients do not need it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::model {

struct CutText {
  std::string rest;          // the object without the field
  std::string_view entries;  // the list, brackets included: a view into the input
};

// Returns nothing unless the field is written as API servers write it: without white space. The
// rest is valid JSON if the input was.
[[nodiscard]] std::optional<CutText> cut_managed_fields(std::string_view json);

}  // namespace ebb::model
