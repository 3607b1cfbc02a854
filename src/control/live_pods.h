// The pods of a ReplicaSet as the API server knows them at this moment, past the cache.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "control/store.h"
#include "model/api.h"

namespace ebb::control {

struct LivePod {
  std::string name;
  std::string uid;
  model::Revision revision = 0;
  bool deleting = false;
};

struct LivePods {
  model::Revision revision = 0;  // of the list; 0 if unknown
  std::vector<LivePod> pods;
};

// A consistent list of what the ReplicaSet selects; metadata is enough.
[[nodiscard]] model::ApiRequest live_pods_request(const ReplicaSet& set);

// Those that the ReplicaSet with this uid controls. An error says what is wrong with the answer.
[[nodiscard]] Result<LivePods> read_live_pods(std::string_view body, std::string_view set_uid);

}  // namespace ebb::control
