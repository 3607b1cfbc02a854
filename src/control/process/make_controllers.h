// Creates the controllers of a process, in the order in which they run.
#pragma once  // private to its room

#include <memory>
#include <vector>

#include "control/controller/controller.h"
#include "control/process/process.h"

namespace ebb::control {

[[nodiscard]] std::vector<std::unique_ptr<Controller>> make_controllers(
    const ProcessSettings& settings, const ControllerContext& context);

}  // namespace ebb::control
