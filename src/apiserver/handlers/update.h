// Functions shared by updates, patches and deletions.
#pragma once  // private to its room

#include "apiserver/handlers/write.h"
#include "apiserver/managedfields/managed_fields.h"
#include "apiserver/request/call.h"

namespace ebb::apiserver {

// Returns a 409 if the object's uid or resourceVersion is not the given one. Empty values are not
// checked.
[[nodiscard]] model::StatusOr<void> check_preconditions(const Call& call, const Target& old,
                                                        std::string_view uid,
                                                        std::string_view resource_version);

// Replaces the call's object or its status by what a client sent, after the mutating webhooks.
[[nodiscard]] Answer replace_object(const Call& call, const Target& old, Decoded decoded,
                                    const WriteOptions& options);
// The same with known owners of fields.
[[nodiscard]] Answer replace_object(const Call& call, const Target& old, Decoded decoded,
                                    const WriteOptions& options, const ManagedFields& managed);

}  // namespace ebb::apiserver
