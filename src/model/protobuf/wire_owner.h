// An owner reference in protobuf: the fields that ebb reads.
#pragma once

#include <string_view>

#include "base/wire_reader.h"
#include "model/protobuf/wire_fields.h"

namespace ebb::model {

// The texts need not be valid UTF-8.
struct WireOwner {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  bool controller = false;
};

// fields.ok() tells whether the reference was read completely.
[[nodiscard]] inline WireOwner read_owner(WireReader& fields) {
  WireOwner owner;
  while (fields.next()) {
    if (fields.field() == wire::kOwnerApiVersion) owner.api_version = fields.bytes();
    if (fields.field() == wire::kOwnerKind) owner.kind = fields.bytes();
    if (fields.field() == wire::kOwnerName) owner.name = fields.bytes();
    if (fields.field() == wire::kOwnerUid) owner.uid = fields.bytes();
    if (fields.field() == wire::kOwnerController) owner.controller = fields.boolean();
  }
  return owner;
}

}  // namespace ebb::model
