// Watches the lease of kube-controller-manager. A lease that exists but is not renewed looks like a
// restart: the stock controllers may be back at any moment. Its times are never compared with a
// clock; what counts is whether the lease changes while this process watches.
#pragma once  // private to its room

#include <optional>

#include "base/now.h"
#include "control/core/call.h"
#include "control/core/lease.h"

namespace ebb::control {

class ManagerLease {
 public:
  // The request to send now, if a read is due; at most one is in flight.
  [[nodiscard]] std::optional<model::ApiRequest> take_wanted(Now now);
  // Returns whether a manager has appeared, or a stopped one is back.
  bool answered(const Answer& answer, Now now);
  // When take_wanted() has a request next; the zero time: after an answer.
  [[nodiscard]] Timestamp wake_at() const { return in_flight_ ? Timestamp() : next_read_; }

  // The lease exists but is not renewed; also true while its state is unknown.
  [[nodiscard]] bool looks_stopped(Timestamp mono) const;

 private:
  bool in_flight_ = false;
  bool known_ = false;                                    // whether the lease exists
  Timestamp next_read_ = Timestamp::from_nanoseconds(1);  // at once
  std::optional<LeaseRecord> record_;                     // nothing: it does not exist
  Timestamp since_;                                       // when it last changed, or was first seen
  bool renewed_ = false;                                  // a change was seen
};

}  // namespace ebb::control
