// A small cluster to play with: the namespace shop with three Deployments.
#pragma once

#include "base/result.h"
#include "cluster/live_server.h"

namespace ebb::cluster {

// Makes its objects through the API. False: there are workloads already, and nothing was
// done. The ReplicaSets and pods are made too, as controllers would have made them.
[[nodiscard]] Result<bool> make_demo(LiveServer& server);

}  // namespace ebb::cluster
