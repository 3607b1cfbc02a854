#include "control/controllers.h"

namespace ebb::control {

std::vector<std::unique_ptr<Controller>> make_controllers(const ProcessSettings& /*settings*/,
                                                          const ControllerContext& /*context*/) {
  return {};
}

}  // namespace ebb::control
