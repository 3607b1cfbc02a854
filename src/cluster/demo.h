// A small cluster to play with: the namespace shop with four Deployments, one of which has a
// picker.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "cluster/live_server.h"
#include "model/machine.h"

namespace ebb::cluster {

enum class Demo : std::uint8_t {
  kMade,
  kThereBefore,  // an earlier start's; its policy is told where the picker is now
  kNone,         // there are other workloads, and nothing was made
};

// Makes its objects through the API. What the Deployments need is left to controllers.
[[nodiscard]] Result<Demo> make_demo(LiveServer& server, std::uint16_t picker_port);

// What makes them grow and shrink.
[[nodiscard]] std::unique_ptr<model::Machine> make_demo_load();

}  // namespace ebb::cluster
