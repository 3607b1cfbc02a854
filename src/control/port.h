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
#include "schema/kind.h"

namespace ebb::control {

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
  // Tells people; best effort, correlated as client-go does.
  virtual void note(Note note, Now now) = 0;
};

struct ControllerContext {
  const Store& store;
  Port& port;
  Telemetry& telemetry;
  model::FeatureGates gates;
};

// One of the controllers of a process. It hears of changes through the store, does nothing on
// hearing them but note what has to be looked at, and works when run() is called.
class Controller : public StoreListener {
 public:
  [[nodiscard]] virtual std::string_view name() const = 0;

  virtual void answered(CallId id, const Answer& answer, Now now) = 0;
  // Asked right before a write of its own is sent, which may be long after it was queued: whether
  // it is still wanted. If not, the answer will be that it was not sent.
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
