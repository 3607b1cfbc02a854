// One sync of one Deployment, from the cache to the last answer: claims its ReplicaSets, then asks
// for the next step (deployment_decision.h) and sends its writes, until no step is left.
#pragma once  // private to its room

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/cache/own_writes.h"
#include "control/controller/controller.h"
#include "control/core/work_budget.h"
#include "control/deployment/deployment_claim.h"
#include "control/deployment/deployment_decision.h"
#include "control/deployment/set_views.h"

namespace ebb::control::deployments {

// How a sync ended.
struct SyncResult {
  bool failed = false;  // sync again after a delay that grows with each failure
  bool again = false;   // sync again at once
  std::optional<Nanoseconds> requeue_after_ns{};
};

class Sync {
 public:
  // All arguments must outlive it. It spends what its work costs, answers included.
  Sync(const ControllerContext& context, OwnWrites& own_writes, SetViews& views, WorkBudget& budget,
       Key key);

  // Nothing while answers are awaited.
  [[nodiscard]] std::optional<SyncResult> start(Now now);
  // `wind_down`: no further step starts.
  [[nodiscard]] std::optional<SyncResult> answered(CallId id, const Answer& answer, bool wind_down,
                                                   Now now);
  // Calls that this sync waits for.
  [[nodiscard]] const std::map<CallId, std::size_t>& awaited() const { return awaited_; }

 private:
  enum class Stage : std::uint8_t { kConfirming, kClaiming, kWorking };

  [[nodiscard]] std::optional<SyncResult> claim(Now now);
  [[nodiscard]] SyncResult unreadable(std::string_view what);
  [[nodiscard]] SyncResult start_again();
  [[nodiscard]] bool read_whole(SetView& view);
  [[nodiscard]] bool read_new_set();
  void send_claims();
  void claim_answered(std::size_t index, const Answer& answer);
  [[nodiscard]] bool may_adopt(const Answer& answer) const;

  [[nodiscard]] std::optional<SyncResult> work(Now now);
  [[nodiscard]] std::optional<SyncResult> begin(Step step, Now now);
  void write_answered(const Write& write, const Answer& answer, Now now);
  [[nodiscard]] std::optional<SyncResult> step_done(bool wind_down, Now now);
  [[nodiscard]] std::optional<SyncResult> create_failed(Now now);
  void take_in(const Write& write, const Answer& answer);
  void record_event(const Notice& notice, Now now);
  void log_failure(std::string_view what, const Answer& answer) const;

  ControllerContext context_;
  OwnWrites& own_writes_;
  SetViews& views_;
  WorkBudget& budget_;
  Key key_;
  Stage stage_ = Stage::kWorking;
  std::map<CallId, std::size_t> awaited_;  // index in the step
  std::vector<SetClaim::Patch> patches_;
  Snapshot snapshot_;
  Done done_;
  Step step_;
  std::optional<Answer> create_answer_;  // if the create failed
  bool step_failed_ = false;
  SyncResult end_;
  int steps_ = 0;
};

}  // namespace ebb::control::deployments
