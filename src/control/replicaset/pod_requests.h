// The requests with which a ReplicaSet creates, adopts, releases and deletes pods.
#pragma once  // private to its room

#include <string_view>

#include "base/result.h"
#include "control/cache/store.h"
#include "control/core/work_queue.h"
#include "model/api/api.h"

namespace ebb::control {

// Creates a pod from the template; the same request serves every pod of a sync. An invalid template
// is an error. The body is protobuf, which is cheaper for the API server, if that is allowed and
// loses nothing of the template; otherwise JSON.
[[nodiscard]] Result<model::ApiRequest> create_pod_request(const ReplicaSet& set, bool protobuf);

// The uid in the patch protects other pods of the same name.
[[nodiscard]] model::ApiRequest adopt_request(const Key& set, std::string_view set_uid,
                                              std::string_view pod, std::string_view pod_uid);
[[nodiscard]] model::ApiRequest release_request(const Key& set, std::string_view set_uid,
                                                std::string_view pod, std::string_view pod_uid);

// An empty uid matches any pod of that name.
[[nodiscard]] model::ApiRequest delete_pod_request(std::string_view namespace_name,
                                                   std::string_view pod, std::string_view uid);

[[nodiscard]] const schema::Kind& replica_set_kind();

}  // namespace ebb::control
