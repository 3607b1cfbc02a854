// Decodes one parsed Kubernetes object into its record.
#pragma once  // private to its room

#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "base/result.h"
#include "model/records/snapshot.h"

namespace ebb::model {

// The type that a list gives for its items; empty for `kind: List`, whose items have their own.
struct ItemType {
  std::string_view api_version;
  std::string_view kind;
};

// How to handle an object with an invalid value.
enum class OnInvalid : std::uint8_t {
  kFail,
  // Treat a value that API servers do not check as absent, with a remark. An object that cannot be
  // decoded at all is added to `undecoded`.
  kKeepOthers,
};

// Adds the record of an object, or of every item of a list, to the snapshot. Objects of other kinds
// are counted in `skipped`. Errors name the object and the field. `position` (`items[3]`)
// identifies an object without a readable name.
[[nodiscard]] Result<void> decode_object(simdjson::dom::element object, const ItemType& type,
                                         std::string_view position, Snapshot& into,
                                         OnInvalid on_invalid = OnInvalid::kFail);

}  // namespace ebb::model
