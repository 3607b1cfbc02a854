// A state machine without I/O: what happens goes in, what should be done comes out as
// values. The scheduler, the kubelet and the controllers are machines; the embedded cluster
// runs them on the wall clock, the simulated world on virtual time and with faults.
//
// A machine never blocks, reads no clock and holds no thread. It is told of every object of
// the kinds it watches (first all that exist, then each change), of the answer to each of
// its effects, and of the time. It may be asked to do the same thing twice: its effects carry
// preconditions, and a refused one is looked at again when the object changes.
#pragma once

#include <memory>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "model/api.h"
#include "schema/kind.h"

namespace ebb::model {

struct ObjectEvent {
  enum class Type { kAdded, kModified, kDeleted };

  Type type = Type::kAdded;
  const schema::Kind* kind = nullptr;
  std::shared_ptr<const boost::json::object> object;  // for kDeleted: its last state
};

using EffectId = std::uint64_t;

// A request that should be sent. The runtime answers each id exactly once, with the
// response or with code 0 if it cannot know how it went.
struct Effect {
  EffectId id = 0;
  ApiRequest request;
};

class Machine {
 public:
  virtual ~Machine() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::vector<const schema::Kind*> watched() const = 0;

  virtual void observe(const ObjectEvent& event, Timestamp now) = 0;
  // All objects that existed when the machine started have been observed.
  virtual void synced(Timestamp now) = 0;
  virtual void answered(EffectId id, const ApiResponse& response, Timestamp now) = 0;
  // The time that wake_at() asked for has come (or any other time: it must not matter).
  virtual void wake(Timestamp now) = 0;

  // What to do now, in this order; asked for after each of the calls above.
  [[nodiscard]] virtual std::vector<Effect> take_effects() = 0;
  // The zero time: no need to be woken.
  [[nodiscard]] virtual Timestamp wake_at() const = 0;
};

}  // namespace ebb::model
