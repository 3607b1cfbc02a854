// What updates, patches and deletions share.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/call.h"
#include "apiserver/managed_fields.h"
#include "apiserver/write.h"

namespace ebb::apiserver {

// 409 if the object is another one (uid) or has changed (resourceVersion) since the client
// looked. Empty means that the client does not mind.
[[nodiscard]] model::StatusOr<void> check_preconditions(const Call& call, const Target& old,
                                                        std::string_view uid,
                                                        std::string_view resource_version);

// What is to be stored when a client sends `object` for the call's object or its status, and
// mutating webhooks have been asked.
[[nodiscard]] model::StatusOr<boost::json::object> next_state(const Call& call, const Target& old,
                                                              boost::json::object object,
                                                              const WriteOptions& options);
// The same where it is known who owns its fields afterwards.
[[nodiscard]] model::StatusOr<boost::json::object> next_state(const Call& call, const Target& old,
                                                              boost::json::object object,
                                                              const WriteOptions& options,
                                                              const ManagedFields& managed);

}  // namespace ebb::apiserver
