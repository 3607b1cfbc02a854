// I10: a controller does not begin to act before its armed canary has been unacknowledged for as
// long as its options say, and sends nothing later than five seconds after another controller has
// acknowledged it. Checked as each write is sent, against the true state of the canaries and of the
// lease of kube-controller-manager, which decides how long the wait has to be.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/core/call.h"
#include "control/core/sole_controller.h"
#include "model/component/component.h"
#include "sim/core/timeline.h"
#include "sim/rules/invariants.h"

namespace ebb::sim {

class GuardRules {
 public:
  GuardRules(const Timeline& time, Invariants& invariants) : time_(time), invariants_(invariants) {}

  void apply(const model::ObjectEvent& event);
  // A process with these options, which was started at that time, sends a call.
  void sent(const control::SoleControllerOptions& options, Timestamp started,
            const control::Call& call);

  // For the canary of ReplicaSets: the earliest time at which a take-over is possible since it was
  // last armed; the zero time if it is not armed.
  [[nodiscard]] Timestamp taken_over_not_before(
      const control::SoleControllerOptions& options) const;
  [[nodiscard]] std::uint64_t acknowledgements() const { return acknowledgements_; }

 private:
  struct CanaryTruth {
    std::string uid{};
    std::int64_t generation = 0;
    std::int64_t observed = 0;
    Timestamp armed_since{};  // the zero time: not armed
    // The times when it ceased to be armed, and since when it had been. Several may count: an
    // acknowledgement of an old generation leaves it armed, for a moment.
    struct Ended {
      Timestamp since{};
      Timestamp until{};
    };
    std::vector<Ended> ended;
  };
  using CanaryKey = std::pair<control::GuardedKind, std::string>;  // "kube-system/ebb-controller"

  void change(CanaryTruth& canary, bool gone, const boost::json::object& object);
  [[nodiscard]] Nanoseconds least_wait(const control::SoleControllerOptions& options,
                                       Timestamp started) const;

  const Timeline& time_;
  Invariants& invariants_;
  std::map<CanaryKey, CanaryTruth> canaries_;
  Timestamp manager_lease_changed_;  // the zero time: there is no lease
  std::uint64_t acknowledgements_ = 0;
};

// The guard that a write needs; nothing for writes without a guard.
[[nodiscard]] std::optional<control::GuardedKind> guarded_kind(const control::Call& call);

}  // namespace ebb::sim
