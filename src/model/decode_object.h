// From one parsed Kubernetes object to its record.
#pragma once

#include <string_view>

#include <simdjson.h>

#include "base/result.h"
#include "model/snapshot.h"

namespace ebb::model {

// What a list says about its items; empty for `kind: List`, whose items say it themselves.
struct ItemType {
  std::string_view api_version;
  std::string_view kind;
};

// Adds the record of an object, or those of all items of a list, to the snapshot;
// objects of other kinds are counted in `skipped`. An error names the object and
// the field. `position` (`items[3]`) helps to find an object that cannot tell its name.
[[nodiscard]] Result<void> decode_object(simdjson::dom::element object, const ItemType& type,
                                         std::string_view position, Snapshot& into);

}  // namespace ebb::model
