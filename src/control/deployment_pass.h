// One look at one Deployment, from the cache to the last answer: its ReplicaSets are claimed,
// then it is asked again and again what is needed next (deployment_decision.h), and that is
// written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/deployment_claim.h"
#include "control/deployment_decision.h"
#include "control/own_writes.h"
#include "control/port.h"

namespace ebb::control::deployments {

// How a pass ended.
struct PassEnd {
  bool failed = false;  // look again after a while, a longer one each time
  bool again = false;   // look again at once
  std::optional<Nanoseconds> look_again_ns{};
};

class Pass {
 public:
  // All of them must outlive it.
  Pass(const ControllerContext& context, OwnWrites& own_writes, Key key);

  // Nothing while answers are awaited.
  [[nodiscard]] std::optional<PassEnd> start(Now now);
  // `wind_down`: no further step is begun.
  [[nodiscard]] std::optional<PassEnd> answered(CallId id, const Answer& answer, bool wind_down,
                                                Now now);
  // Calls that this pass waits for.
  [[nodiscard]] const std::map<CallId, std::size_t>& awaited() const { return awaited_; }

 private:
  enum class Stage : std::uint8_t { kConfirming, kClaiming, kWorking };

  [[nodiscard]] std::optional<PassEnd> claim(Now now);
  [[nodiscard]] PassEnd unreadable(std::string_view what);
  void send_claims();
  void claim_answered(std::size_t index, const Answer& answer);
  [[nodiscard]] bool may_adopt(const Answer& answer) const;

  [[nodiscard]] std::optional<PassEnd> work(Now now);
  [[nodiscard]] std::optional<PassEnd> begin(Step step, Now now);
  void write_answered(const Write& write, const Answer& answer, Now now);
  [[nodiscard]] std::optional<PassEnd> step_done(bool wind_down, Now now);
  [[nodiscard]] std::optional<PassEnd> create_failed(Now now);
  void take_in(const Write& write, const Answer& answer);
  void tell(const Notice& notice, Now now);
  void log_failure(std::string_view what, const Answer& answer) const;

  ControllerContext context_;
  OwnWrites& own_writes_;
  Key key_;
  Stage stage_ = Stage::kWorking;
  std::map<CallId, std::size_t> awaited_;  // what of the step
  std::vector<SetClaim::Patch> patches_;
  Snapshot snapshot_;
  Done done_;
  Step step_;
  std::optional<Answer> create_answer_;  // if creating failed
  bool step_failed_ = false;
  PassEnd end_;
  int steps_ = 0;
};

}  // namespace ebb::control::deployments
