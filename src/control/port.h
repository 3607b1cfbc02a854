// What a controller is given to act with.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/now.h"
#include "control/call.h"
#include "control/store.h"
#include "control/telemetry.h"
#include "model/feature_gates.h"
#include "picker/call.h"
#include "schema/kind.h"

namespace ebb::control {

// The event that tells of a round of a scale-down; where not all events can be sent, these go
// first.
inline constexpr std::string_view kDecisionReason = "DownscaleDecision";

// An event (core/v1) about an object, for `kubectl describe`.
struct Note {
  const schema::Kind* kind = nullptr;
  std::string name_space{};
  std::string name{};
  std::string uid{};
  std::string resource_version{};
  bool warning = false;
  std::string reason{};
  std::string message{};
  std::string_view component{};  // who says so: "replicaset-controller"
};

class Port {
 public:
  virtual ~Port() = default;

  // Queues a call. Its answer comes back through the controller's answered(), exactly once.
  virtual CallId send(Call::Kind kind, model::ApiRequest request) = 0;
  // Asks a picker; the id of `call` is filled in. Its reply comes back through the controller's
  // picker_replied(), exactly once, unless it is withdrawn.
  virtual picker::CallId ask(picker::Call call) = 0;
  virtual void withdraw(picker::CallId id) = 0;
  // Tells people; best effort, correlated as client-go does.
  virtual void note(Note note, Now now) = 0;
};

// What an operator may say about pickers, beyond where they may be (net/egress_policy.h).
struct PickerLimits {
  // Calls under way to one endpoint; others wait, fairly between namespaces.
  std::size_t most_per_endpoint = 1'000;
  // P19: whether a picker is asked while another ReplicaSet of the Deployment has pods.
  bool during_rollouts = true;
  // P5, for tests: a picker that fails switches the co-location criterion off all the same.
  bool failure_ends_spreading = false;
};

struct ControllerContext {
  const Store& store;
  Port& port;
  Telemetry& telemetry;
  model::FeatureGates gates;
  PickerLimits pickers{};
  std::uint64_t seed = 1;  // of jitter
  bool protobuf = false;   // pods are made in protobuf, where the API server takes it
};

// One of the controllers of a process. It hears of changes through the store, does nothing on
// hearing them but note what has to be looked at, and works when run() is called.
class Controller : public StoreListener {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;

  virtual void answered(CallId id, const Answer& answer, Now now) = 0;
  virtual void picker_replied(picker::CallId /*id*/, const picker::Reply& /*reply*/, Now /*now*/) {}
  // Asked right before a read or write of its own is sent, which may be long after it was queued:
  // whether it is still wanted. If not, the answer will be that it was not sent.
  [[nodiscard]] virtual bool still_wants(CallId /*id*/) { return true; }
  // Looks at everything that is due.
  virtual void run(Now now) = 0;
  // When run() has something to do next (on the monotonic clock); the zero time: when something
  // happens. Not after now if it has something to do right away.
  [[nodiscard]] virtual Timestamp wake_at() const = 0;
  // Nothing new is begun from now on; what is under way is finished.
  virtual void stop() = 0;
  // Nothing is under way.
  [[nodiscard]] virtual bool idle() const = 0;
};

}  // namespace ebb::control
