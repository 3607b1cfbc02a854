// A small example cluster: the namespace shop with four Deployments, one of which has a picker.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "cluster/server/live_server.h"
#include "model/component/component.h"

namespace ebb::demo {

enum class Outcome : std::uint8_t {
  kMade,
  kThereBefore,  // from an earlier start; its policy gets the picker's new address
  kNone,         // there are other workloads, so nothing was created
};

// Creates the demo's objects through the API. Controllers create the rest.
[[nodiscard]] Result<Outcome> make_demo(cluster::LiveServer& server, std::uint16_t picker_port);

// The component that makes them grow and shrink.
[[nodiscard]] std::unique_ptr<model::Component> make_demo_load();

}  // namespace ebb::demo
