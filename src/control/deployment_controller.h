// The Deployment controller: keeps the ReplicaSets of each Deployment so that its pods come to
// have the template and the number it wants.
#pragma once

#include <memory>

#include "control/port.h"

namespace ebb::control {

// What the context names must outlive it. It has to be made to listen to the store.
[[nodiscard]] std::unique_ptr<Controller> make_deployment_controller(ControllerContext context);

}  // namespace ebb::control
