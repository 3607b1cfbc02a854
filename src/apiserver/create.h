// What POST and applying something new share.
#pragma once

#include "apiserver/call.h"
#include "apiserver/field_manager.h"

namespace ebb::apiserver {

// Stores a new object. Who owns its fields is known if it was applied; else whoever creates it.
[[nodiscard]] Answer create_object(const Call& call, const WriteOptions& options, Decoded decoded,
                                   const ManagedFields* applied);

}  // namespace ebb::apiserver
