// Everything that `ebb controller` does, as one state machine without I/O: it holds the lease,
// follows the cluster and runs the controllers. Two runtimes drive it: src/runtime over
// HTTP, src/sim on virtual time.
//
// In this order: the lease is taken (if there is one), then everything is listed (a consistent
// list, so that what a dead predecessor did last is seen), and only then controllers work.
// When the lease is lost, nothing is sent any more and the process is done.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "control/call.h"
#include "control/port.h"
#include "control/telemetry.h"
#include "model/feature_gates.h"

namespace ebb::control {

struct LeaseSettings {
  std::string name_space = "kube-system";
  std::string name = "ebb-controller";
  std::string identity;  // unique for each start
  Nanoseconds duration_ns = 15 * kNanosecondsPerSecond;
  Nanoseconds renew_deadline_ns = 10 * kNanosecondsPerSecond;
  Nanoseconds retry_period_ns = 2 * kNanosecondsPerSecond;
};

// Parts that can be taken out, so that a test can show that they are needed. All on, always, but
// in src/sim's mutation check.
struct Safeguards {
  bool expectations = true;
  bool uid_precondition = true;
  bool stale_cache_protection = true;
  bool repeats_unknown_deletes = true;
  bool looks_again_after_answers = true;
  bool awaits_newer_ranks = true;  // where each removal makes all ranks worthless
};

struct ProcessSettings {
  bool replica_sets = true;
  bool deployments = true;
  bool ranker = false;
  std::optional<LeaseSettings> lease;  // nothing: act at once, always
  model::FeatureGates gates;
  // Client limits; qps 0: none.
  double qps = 20;
  int burst = 30;
  // No more than can be sent at once: what waited behind this limit would have been looked at
  // too early.
  std::size_t most_in_flight = 64;
  // Pods are read and made in protobuf, and in JSON where the server has nothing else.
  bool protobuf = true;
  std::uint64_t seed = 1;  // of jitter
  Safeguards safeguards;
  PickerLimits pickers;
};

using ControllerFactory =
    std::function<std::vector<std::unique_ptr<Controller>>(const ControllerContext& context)>;

class Process {
 public:
  // `telemetry` must outlive the process. The lease's settings must be valid (elector.h).
  Process(const ProcessSettings& settings, Telemetry& telemetry);
  // With other controllers than those of the settings, for tests.
  Process(ProcessSettings settings, Telemetry& telemetry, const ControllerFactory& factory);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void start(Now now);
  // Each call is answered exactly once, unless it was cancelled.
  void answered(CallId id, const Answer& answer, Now now);
  // A piece of a stream that has begun; it may end anywhere.
  void received(CallId id, std::string_view bytes, Now now);
  // Each question to a picker has one reply, unless it was withdrawn.
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now);
  // The time that wake_at() named has come, or any other: it must not matter.
  void wake(Now now);
  // Finish what is in flight, give the lease back, and be done.
  void stop(Now now);

  // What to send now; asked for after each of the calls above. Sending comes at once: the
  // lease was looked at, at `now` of the call before.
  [[nodiscard]] std::vector<Call> take_calls();
  // Streams that nobody reads any more; they get no answer.
  [[nodiscard]] std::vector<CallId> take_cancelled();
  // Whom to ask now, and who need not answer any more; asked for like the calls. Questions change
  // nothing, so they need no lease.
  [[nodiscard]] std::vector<picker::Call> take_questions();
  [[nodiscard]] std::vector<picker::CallId> take_withdrawn();
  // On the monotonic clock; the zero time: no need to be woken.
  [[nodiscard]] Timestamp wake_at() const;

  // Nothing will happen any more: stopped, or one of the two below.
  [[nodiscard]] bool done() const;
  [[nodiscard]] bool lost_lease() const;
  // The API server's storage went back to an older state, as after a restore. Only a new process
  // can begin anew.
  [[nodiscard]] bool went_back() const;
  // Leads (or needs no lease), and has seen everything that there was.
  [[nodiscard]] bool synced() const;
  [[nodiscard]] bool leads(Now now) const;
  [[nodiscard]] const Store& store() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::control
