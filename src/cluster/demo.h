// A small cluster to play with: the namespace shop with three Deployments.
#pragma once

#include <memory>

#include "base/result.h"
#include "cluster/live_server.h"
#include "model/machine.h"

namespace ebb::cluster {

// Makes its objects through the API. False: there are workloads already, and nothing was
// done. What the Deployments need is left to controllers.
[[nodiscard]] Result<bool> make_demo(LiveServer& server);

// What makes them grow and shrink.
[[nodiscard]] std::unique_ptr<model::Machine> make_demo_load();

}  // namespace ebb::cluster
