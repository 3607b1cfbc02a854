// The Deployment controller: manages the ReplicaSets of each Deployment so that its pods get the
// desired template and number.
#pragma once

#include <memory>

#include "control/controller/controller.h"

namespace ebb::control {

// Everything in the context must outlive it. The caller registers it as a listener of the store.
[[nodiscard]] std::unique_ptr<Controller> make_deployment_controller(
    const ControllerContext& context);

}  // namespace ebb::control
