// A state machine without I/O: events go in, requests come out as values. The scheduler, the
// kubelet and the controllers are components; the embedded cluster runs them on the wall clock, the
// simulated world on virtual time and with faults.
//
// A component never blocks, reads no clock and owns no thread. It receives every object of the
// kinds it watches (first all that exist, then each change), the response to each of its effects,
// and the time. It may issue the same request twice: its effects carry preconditions, and after a
// rejected one it reads the object again when that changes.
#pragma once

#include <memory>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "model/api/api.h"
#include "schema/core/kind.h"

namespace ebb::model {

struct ObjectEvent {
  enum class Type { kAdded, kModified, kDeleted };

  Type type = Type::kAdded;
  const schema::Kind* kind = nullptr;
  std::shared_ptr<const boost::json::object> object;  // for kDeleted: its last state
};

using EffectId = std::uint64_t;

// A request to send. The runtime answers each id exactly once, with the response, or with code 0 if
// the outcome is unknown.
struct Effect {
  EffectId id = 0;
  ApiRequest request;
};

class Component {
 public:
  virtual ~Component() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::vector<const schema::Kind*> watched() const = 0;

  virtual void observe(const ObjectEvent& event, Timestamp now) = 0;
  // All objects that existed when the component started have been observed.
  virtual void synced(Timestamp now) = 0;
  virtual void answered(EffectId id, const ApiResponse& response, Timestamp now) = 0;
  // The time returned by wake_at() has come. Spurious calls at other times must be harmless.
  virtual void wake(Timestamp now) = 0;

  // The requests to send, in this order. Called after each of the calls above.
  [[nodiscard]] virtual std::vector<Effect> take_effects() = 0;
  // The zero time: no wake-up is needed.
  [[nodiscard]] virtual Timestamp wake_at() const = 0;
};

}  // namespace ebb::model
