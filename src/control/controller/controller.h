// The interface of a controller, and what it is given to act with.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/now.h"
#include "control/cache/store.h"
#include "control/controller/admission.h"
#include "control/core/call.h"
#include "control/core/sole_controller.h"
#include "control/core/telemetry.h"
#include "model/api/requests.h"
#include "model/records/feature_gates.h"
#include "picker/call.h"
#include "schema/core/kind.h"

namespace ebb::control {

// Reason of the event for one round of a scale-down. These events go first when not all can be
// sent.
inline constexpr std::string_view kDecisionReason = "DownscaleDecision";

// An event (core/v1) about an object, for `kubectl describe`.
struct Event {
  const schema::Kind* kind = nullptr;
  std::string namespace_name{};
  std::string name{};
  std::string uid{};
  std::string resource_version{};
  bool warning = false;
  std::string reason{};
  std::string message{};
  std::string_view component{};  // the reporting component: "replicaset-controller"
};

class CallSink {
 public:
  virtual ~CallSink() = default;

  // Queues a call. The answer arrives through the controller's answered(), exactly once.
  virtual CallId send(Call::Kind kind, model::ApiRequest request) = 0;
  // The same, with a deadline other than the usual one of its kind.
  virtual CallId send_within(Nanoseconds /*deadline_ns*/, Call::Kind kind,
                             model::ApiRequest request) {
    return send(kind, std::move(request));
  }
  // Calls a picker; fills in the id of `call`. The reply arrives through the controller's
  // picker_replied(), exactly once, unless the call is withdrawn.
  virtual picker::CallId ask(picker::Call call) = 0;
  virtual void withdraw(picker::CallId id) = 0;
  // Best effort, correlated as in client-go.
  virtual void record_event(Event event, Now now) = 0;
  // Another controller seems to have written a pod or the status of a ReplicaSet. Returns how long
  // to leave that ReplicaSet alone; 0 if there is no guard.
  virtual Nanoseconds saw_foreign_write(Now /*now*/) { return 0; }
  // Answers a review that the controller was given; each at most once.
  virtual void answer_review(ReviewAnswer /*answer*/) {}  // NOLINT(performance-*)
};

// Operator limits for pickers, in addition to their addresses (net/address/egress_policy.h).
struct PickerLimits {
  // In-flight calls to one endpoint; more calls wait, with fairness between namespaces.
  std::size_t max_per_endpoint = 1'000;
  // P19 (docs/requirements.md): whether a picker is called while another ReplicaSet of the
  // Deployment has pods.
  bool during_rollouts = true;
  // P5, for tests: a failed picker call still turns the co-location criterion off.
  bool failure_ends_spreading = false;
};

// Which policies apply. Those in shadow mode (spec.mode) apply only to the shadow controller, which
// compares their choices with what really went.
enum class PolicyView : std::uint8_t { kActing, kShadow };

struct ControllerContext {
  const Store& store;
  CallSink& sink;
  Telemetry& telemetry;
  model::FeatureGates gates;
  PickerLimits pickers{};
  std::uint64_t seed = 1;  // for jitter
  bool protobuf = false;   // create pods in protobuf if the API server accepts it
  // The ReplicaSet and the Deployment that are never synced (canary.h); an empty name: none.
  model::ObjectName canary{};
  PolicyView policies = PolicyView::kActing;
};

// One of the controllers of a process. Store notifications only mark what has to be synced; the
// work happens in run().
class Controller : public StoreListener {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;

  virtual void answered(CallId id, const Answer& answer, Now now) = 0;
  virtual void picker_replied(picker::CallId /*id*/, const picker::Reply& /*reply*/, Now /*now*/) {}
  // Whether it answers admission reviews. At most one controller of a process does.
  [[nodiscard]] virtual bool reviews() const { return false; }
  // The body of an AdmissionReview, to be answered through the sink, now or later. Not `ready`: the
  // caches cannot be relied on, or the process is stopping.
  virtual void review(ReviewId /*id*/, std::string_view /*body*/, bool /*ready*/, Now /*now*/) {}
  // The API server no longer waits for this answer.
  virtual void drop_review(ReviewId /*id*/, Now /*now*/) {}
  // The certificates that the API server has to trust when it calls this process.
  virtual void set_ca_bundle(const std::string& /*pem*/, Now /*now*/) {}
  // Called just before one of its reads or writes is sent, which may be long after it was queued.
  // If the call is no longer wanted, it is answered kNotSent.
  [[nodiscard]] virtual bool still_wants(CallId /*id*/) { return true; }
  // The guard forbids this write (sole_controller.h). The call will be answered kNotSent.
  virtual void withheld(CallId /*id*/) {}
  // The guard forbids all writes: run() is not called for a while.
  virtual void suspended() {}
  // The kind that it controls under a guard; nothing: it needs no guard.
  [[nodiscard]] virtual std::optional<GuardedKind> guarded() const { return std::nullopt; }
  // Syncs everything that is due.
  virtual void run(Now now) = 0;
  // Whether run() is also called while the store is mixed (Store::mixed()).
  [[nodiscard]] virtual bool runs_while_mixed() const { return false; }
  // When run() has work next, on the monotonic clock: at most now if it has work already; the zero
  // time: only after another input.
  [[nodiscard]] virtual Timestamp wake_at() const = 0;
  // Starts nothing new from now on, and finishes what is in flight.
  virtual void stop() = 0;
  // Nothing is in flight.
  [[nodiscard]] virtual bool idle() const = 0;
};

}  // namespace ebb::control
