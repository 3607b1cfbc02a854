// A queue of keys to sync, with delays and backoff.
//
// A key is queued at most once. A key that is being processed is not handed out again; if it is
// added meanwhile, it is queued again after done(). Namespaces take turns, and the keys of a
// namespace are served first come, first served: however many keys a tenant has, and however many
// of them fail, the keys of others come up as soon.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/deadline_queue.h"
#include "base/fair_queue.h"
#include "base/now.h"
#include "control/core/telemetry.h"
#include "model/api/requests.h"

namespace ebb::control {

using Key = model::ObjectName;

class WorkQueue {
 public:
  // `name` is the queue's label in metrics; `telemetry` must outlive the queue.
  WorkQueue(std::string name, Telemetry& telemetry);

  void add(const Key& key, Now now);
  // Keeps the earliest of several times, even if the key comes up earlier for another reason.
  void add_after(const Key& key, Nanoseconds delay_ns, Now now);
  // After a failure: the delay doubles each time from 5 ms up to 30 s. Then all keys together are
  // limited to ten per second beyond a burst of a hundred, and namespaces take turns.
  void add_after_failure(const Key& key, Now now);
  // Resets the backoff after a success.
  void forget_failures(const Key& key);

  // The next key of a namespace that may have one taken; it is being processed from now on.
  using MayTake = std::function<bool(const std::string& namespace_name)>;
  [[nodiscard]] std::optional<Key> take(Now now, const MayTake& may = {});
  void done(const Key& key, Now now);

  // When there is something to take, on the monotonic clock: in the past if there already is, the
  // zero time if the queue is empty.
  [[nodiscard]] Timestamp wake_at() const;
  // The same, for keys that only time adds to those that there already are.
  [[nodiscard]] Timestamp wake_at_for_delayed() const;
  // Reports how long the current work has taken so far, unless that was reported recently.
  void report(Now now);
  [[nodiscard]] std::size_t working() const { return working_.size(); }

 private:
  struct Ready {
    Timestamp due;
    Timestamp since;  // to measure by
  };
  struct Working {
    Timestamp since;  // to measure by
    bool again = false;
  };

  void add_due(Now now);
  void refill(Now now);

  std::string name_;
  Telemetry& telemetry_;
  std::map<Key, Ready> ready_since_;
  FairQueue<const Key*> ready_;  // the keys of ready_since_
  std::map<Key, Working> working_;
  DeadlineQueue<Key> later_;
  std::map<Key, unsigned> failures_;
  DeadlineQueue<Key> backoffs_;  // of keys that failed
  FairQueue<Key> retries_;       // whose backoff is over; they need a token each
  double tokens_ = 0;
  Timestamp tokens_at_;
  Timestamp reported_at_;
};

}  // namespace ebb::control
