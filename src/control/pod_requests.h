// The requests with which a ReplicaSet makes pods, takes them in and lets them go.
#pragma once

#include <string_view>

#include "base/result.h"
#include "control/store.h"
#include "control/work_queue.h"
#include "model/api.h"

namespace ebb::control {

// A pod after the template; the same for every pod of a pass. A template that makes no pod
// is an error. In protobuf, which costs an API server less, if it is allowed and nothing of the
// template would be lost in it; else in JSON.
[[nodiscard]] Result<model::ApiRequest> create_pod_request(const ReplicaSet& set, bool protobuf);

// The uid in the patch keeps it away from another pod of the same name.
[[nodiscard]] model::ApiRequest adopt_request(const Key& set, std::string_view set_uid,
                                              std::string_view pod, std::string_view pod_uid);
[[nodiscard]] model::ApiRequest release_request(const Key& set, std::string_view set_uid,
                                                std::string_view pod, std::string_view pod_uid);

// An empty uid: whatever pod has the name.
[[nodiscard]] model::ApiRequest delete_pod_request(std::string_view name_space,
                                                   std::string_view pod, std::string_view uid);

[[nodiscard]] const schema::Kind& replica_set_kind();

}  // namespace ebb::control
