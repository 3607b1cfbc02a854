// The metadata that every kind shares.
#pragma once  // private to its room

#include "model/json/json_value.h"

namespace ebb::model {

struct Metadata {
  Interned name;
  Interned namespace_name;  // `default` if absent
  Interned uid;
  Timestamp created;
  std::uint64_t revision = 0;  // its resourceVersion; 0 if not a number
  std::int64_t generation = 0;
  bool deleting = false;
  const LabelSet* labels = nullptr;
  const ControllerRef* controller = nullptr;
  JsonValue annotations;  // each kind picks its own; refers to the metadata it came from
};

// Reports a missing name.
[[nodiscard]] Metadata decode_metadata(const JsonValue& metadata);

// For kinds that are matched by uid: also reports a missing uid.
[[nodiscard]] Metadata decode_metadata_with_uid(const JsonValue& metadata);

}  // namespace ebb::model
