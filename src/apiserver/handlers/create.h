// Shared by POST and apply of a new object.
#pragma once  // private to its room

#include "apiserver/managedfields/field_manager.h"
#include "apiserver/request/call.h"

namespace ebb::apiserver {

// Stores a new object. `applied` is set if the object was applied; otherwise the creator owns its
// fields.
[[nodiscard]] Answer create_object(const Call& call, const WriteOptions& options, Decoded decoded,
                                   const ManagedFields* applied);

}  // namespace ebb::apiserver
