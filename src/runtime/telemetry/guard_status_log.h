// Log lines about the guards against a second controller (control/core/sole_controller.h): one when
// a controller begins or stops acting, or when the reason changes.
#pragma once  // private to its room

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "control/core/log_field.h"
#include "control/core/sole_controller.h"

namespace ebb::runtime {

class GuardStatusLog {
 public:
  struct Line {
    bool bad = false;
    std::string text{};
    std::vector<control::Field> fields{};
  };

  // Takes a guard's current status. Returns nothing if the last line still holds, or is too recent
  // to be followed by another one about the same state.
  [[nodiscard]] std::optional<Line> observe(const control::GuardStatus& status, Timestamp mono);

 private:
  struct Logged {
    control::GuardState state = control::GuardState::kProbing;
    std::string reason{};
    Timestamp at{};
  };

  std::map<std::string, Logged, std::less<>> logged_;  // by controller
};

}  // namespace ebb::runtime
