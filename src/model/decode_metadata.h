// The part of metadata that every kind shares.
#pragma once

#include "model/json_value.h"

namespace ebb::model {

struct Metadata {
  Interned name;
  Interned name_space;  // `default` if the object does not say
  Interned uid;
  Timestamp created;
  std::uint64_t revision = 0;  // its resourceVersion; 0 if that is no number
  std::int64_t generation = 0;
  bool deleting = false;
  const LabelSet* labels = nullptr;
  const ControllerRef* controller = nullptr;
  JsonValue annotations;  // each kind picks its own; refers to the metadata it came from
};

// Reports a missing name.
[[nodiscard]] Metadata decode_metadata(const JsonValue& metadata);

// The same for kinds that records are matched by uid, where it must be there.
[[nodiscard]] Metadata decode_metadata_with_uid(const JsonValue& metadata);

}  // namespace ebb::model
