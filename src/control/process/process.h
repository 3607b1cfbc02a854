// `ebb controller` as one state machine without I/O: it holds the lease, watches the cluster and
// runs the controllers. Two runtimes drive it: src/runtime over HTTP, src/sim on virtual time.
//
// It first acquires the lease (or, without leader election, waits until a predecessor's last writes
// are over), then lists everything (with a consistent list, which shows a dead predecessor's last
// writes), and only then runs the controllers. Once the lease is lost, it sends nothing more and is
// done.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "control/controller/admission.h"
#include "control/controller/controller.h"
#include "control/controller/process_settings.h"
#include "control/core/call.h"
#include "control/core/sole_controller.h"
#include "control/core/telemetry.h"
#include "model/records/feature_gates.h"

namespace ebb::control {

using ControllerFactory =
    std::function<std::vector<std::unique_ptr<Controller>>(const ControllerContext& context)>;

class Process {
 public:
  // `telemetry` must outlive the process. The lease settings must be valid (elector.h).
  Process(const ProcessSettings& settings, Telemetry& telemetry);
  // Uses these controllers instead of those from the settings; for tests.
  Process(ProcessSettings settings, Telemetry& telemetry, const ControllerFactory& factory);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void start(Now now);
  // Each call is answered exactly once, unless it was cancelled.
  void answered(CallId id, const Answer& answer, Now now);
  // The next bytes of an open stream, cut at any place.
  void received(CallId id, std::string_view bytes, Now now);
  // Each picker call gets exactly one reply, unless it was withdrawn.
  void picker_replied(picker::CallId id, const picker::Reply& reply, Now now);
  // The body of an AdmissionReview (admission.k8s.io/v1) from the API server. Answered exactly
  // once, unless it is dropped; only a process with WebhookSettings understands it.
  void review(ReviewId id, std::string_view body, Now now);
  // The API server closed the connection or its time is up; no answer is needed.
  void drop_review(ReviewId id, Now now);
  // The certificates, in PEM, that the API server has to trust when it calls this process.
  void set_ca_bundle(const std::string& pem, Now now);
  // Call at the time that wake_at() returned; spurious calls are harmless.
  void wake(Now now);
  // Finishes what is in flight, gives the lease back, and is done.
  void stop(Now now);

  // The calls to send now; to be taken after each of the functions above. They must be sent at
  // once: the lease was checked at the `now` of that function.
  [[nodiscard]] std::vector<Call> take_calls();
  // Streams that are no longer needed; they get no answer.
  [[nodiscard]] std::vector<CallId> take_cancelled();
  // Picker calls to make and to withdraw now; to be taken like the calls. They change nothing in
  // the cluster, so they need no lease.
  [[nodiscard]] std::vector<picker::Call> take_picker_requests();
  [[nodiscard]] std::vector<picker::CallId> take_withdrawn();
  // To be taken like the calls.
  [[nodiscard]] std::vector<ReviewAnswer> take_review_answers();
  // On the monotonic clock; the zero time: no wake-up needed.
  [[nodiscard]] Timestamp wake_at() const;

  // Nothing more will happen: the process was stopped, or one of the three below is true.
  [[nodiscard]] bool done() const;
  [[nodiscard]] bool lost_lease() const;
  // The API server's storage went back to an older state, as after a restore from a backup. Only a
  // new process can start from that state.
  [[nodiscard]] bool went_back() const;
  // The API server forbids this process to read or write its canary (sole_controller.h), so it
  // could never act. guard_statuses() says which permission is missing.
  [[nodiscard]] bool canary_forbidden() const;
  // Leads (or needs no lease), and all caches are synced.
  [[nodiscard]] bool synced() const;
  [[nodiscard]] bool leads(Now now) const;
  // Since when a watch that the controllers rely on has been disconnected, on the monotonic clock;
  // the zero time: all are connected. Of several, the one that has been disconnected longest.
  [[nodiscard]] Timestamp watches_down_since(Now now) const;
  // Whether each guarded controller acts, and why not. Empty without guards.
  [[nodiscard]] std::vector<GuardStatus> guard_statuses(Now now) const;
  [[nodiscard]] const Store& store() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::control
