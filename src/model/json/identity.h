// Reads the identity of an object from its metadata, even if the rest cannot be decoded.
//
// That an object exists or is deleted matters even if nothing else about it is known. Reading ends
// where the metadata is damaged; the fields before that point count. All views point into the
// input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/api/api.h"
#include "model/records/snapshot.h"

namespace ebb::model {

struct Identity {
  enum class Owner : std::uint8_t {
    kUnclear,  // the owner references are damaged
    kNone,     // no owner is the controller
    kKnown,
  };

  std::string_view name;
  std::string_view namespace_name;
  std::string_view uid;
  Revision revision = 0;  // 0 if not a number
  Owner owner = Owner::kUnclear;
  // Of the controller, if it is known.
  std::string_view owner_group;
  std::string_view owner_kind;
  std::string_view owner_name;
  std::string_view owner_uid;
};

// `message` is the object's own message, without an envelope.
[[nodiscard]] Identity identity_in_protobuf(std::string_view message);
// Texts with escapes are treated as missing: no valid name or uid has any.
[[nodiscard]] Identity identity_in_json(std::string_view json);

// The object as a snapshot stores it, with handles of `pool`.
[[nodiscard]] UndecodedObject undecoded_object(std::string_view kind, const Identity& identity,
                                               std::string problem, Pool& pool);

// The controller of an object whose owner is known.
[[nodiscard]] const ControllerRef* known_owner(const Identity& identity, Pool& pool);

}  // namespace ebb::model
