// Deleting one object, however that was asked for.
#pragma once

#include "apiserver/call.h"
#include "apiserver/write.h"

namespace ebb::apiserver {

struct Removal {
  ObjectPtr object;  // as stored, or its last state
  bool gone = false;
};
[[nodiscard]] model::StatusOr<Removal> remove_object(const Call& call, const Target& target,
                                                     const DeleteOptions& options);

}  // namespace ebb::apiserver
