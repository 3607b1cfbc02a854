// Events on the canaries: whether their controllers act, and if not, why. `kubectl describe` shows
// them to an operator who inspects the canary.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/now.h"
#include "control/controller/controller.h"
#include "control/guard/canary_guard.h"

namespace ebb::control {

class GuardEvents {
 public:
  // The event to record, if the guard's state has changed since the last one. Called after every
  // input, so it must be cheap while nothing changes.
  [[nodiscard]] std::optional<Event> take(const CanaryGuard& guard, Now now);

 private:
  // The inputs of a state that are cheap to compare.
  struct Signs {
    std::string uid{};
    bool acting = false;
    bool armed = false;

    [[nodiscard]] bool operator==(const Signs&) const = default;
  };
  struct Recorded {
    Signs signs{};
    std::optional<GuardState> state{};
  };

  std::array<Recorded, 2> recorded_{};  // by GuardedKind
};

}  // namespace ebb::control
