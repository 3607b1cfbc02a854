#include "control/core/sole_controller.h"

#include "base/check.h"

namespace ebb::control {

std::string_view to_string(GuardState state) {
  switch (state) {
    case GuardState::kProbing:
      return "probing";
    case GuardState::kStandby:
      return "standby";
    case GuardState::kActing:
      return "acting";
    case GuardState::kBlocked:
      return "blocked";
    case GuardState::kForbidden:
      return "forbidden";
  }
  EBB_CHECK(false);
  return {};
}

}  // namespace ebb::control
