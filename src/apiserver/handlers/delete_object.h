// Deletes one object, for DELETE, deletecollection and evictions.
#pragma once  // private to its room

#include "apiserver/handlers/write.h"
#include "apiserver/request/call.h"

namespace ebb::apiserver {

struct DeleteResult {
  ObjectPtr object;  // as stored, or the last state
  bool gone = false;
};
[[nodiscard]] model::StatusOr<DeleteResult> delete_object(const Call& call, const Target& target,
                                                          const DeleteOptions& options);

}  // namespace ebb::apiserver
