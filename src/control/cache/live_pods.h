// The pods of a ReplicaSet as the API server has them now, bypassing the cache.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "control/cache/store.h"
#include "model/api/api.h"

namespace ebb::control {

struct LivePod {
  std::string name;
  std::string uid;
  model::Revision revision = 0;
  bool deleting = false;
  // The webhook's mark (scale_down_mark.h), if the pod has the cost of that mark; else empty.
  std::string mark{};
};

struct LivePods {
  model::Revision revision = 0;  // of the list; 0 if unknown
  std::vector<LivePod> pods;
};

// A consistent list of the pods that the ReplicaSet selects; metadata only.
[[nodiscard]] model::ApiRequest live_pods_request(const ReplicaSet& set);

// The listed pods that the ReplicaSet controls. An error says what is wrong with the answer.
struct LiveOwner {
  std::string_view name;
  std::string_view uid;
};
[[nodiscard]] Result<LivePods> read_live_pods(std::string_view body, const LiveOwner& set);

}  // namespace ebb::control
