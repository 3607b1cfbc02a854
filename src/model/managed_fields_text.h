// metadata.managedFields cut out of an object's JSON before it is parsed.
//
// It is often as long as all the rest, and who only reads objects has no use for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::model {

struct CutText {
  std::string rest;          // the object without the field
  std::string_view entries;  // the list, brackets included: a part of the text that was given
};

// Nothing if it is not in there as API servers write it: without white space. The rest is JSON if
// the whole was JSON.
[[nodiscard]] std::optional<CutText> cut_managed_fields(std::string_view json);

}  // namespace ebb::model
