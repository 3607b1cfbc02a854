// The controllers of a process, in the order in which they run.
#pragma once

#include <memory>
#include <vector>

#include "control/port.h"
#include "control/process.h"

namespace ebb::control {

[[nodiscard]] std::vector<std::unique_ptr<Controller>> make_controllers(
    const ProcessSettings& settings, const ControllerContext& context);

}  // namespace ebb::control
