// What a controller has to look at, and when: a queue of keys with delays and backoff.
//
// A key waits at most once. While it is worked on it is not handed out again; if it was added
// meanwhile, it comes up again after done(). Otherwise first come, first served.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "base/agenda.h"
#include "base/now.h"
#include "control/telemetry.h"
#include "model/requests.h"

namespace ebb::control {

using Key = model::ObjectName;

class WorkQueue {
 public:
  // `name` is the queue's label in metrics; `telemetry` must outlive it.
  WorkQueue(std::string name, Telemetry& telemetry);

  void add(const Key& key, Now now);
  // Keeps the earliest of several times, also if the key comes up before for another reason.
  void add_after(const Key& key, Nanoseconds delay_ns, Now now);
  // After a failure: later with each one, 5 ms doubled up to 30 s, and all keys together at most
  // ten a second beyond a burst of a hundred.
  void add_after_failure(const Key& key, Now now);
  // It went well: the next failure starts from the beginning.
  void forget_failures(const Key& key);

  // The next key, which is now being worked on.
  [[nodiscard]] std::optional<Key> take(Now now);
  void done(const Key& key, Now now);

  // When there is something to take, on the monotonic clock: the past if there is already, the
  // zero time if nothing waits.
  [[nodiscard]] Timestamp wake_at() const;
  // Tells how long what is being worked on has taken so far, if that was not told just before.
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

  [[nodiscard]] Nanoseconds bucket_delay_ns(Now now);

  std::string name_;
  Telemetry& telemetry_;
  std::deque<Key> ready_;
  std::map<Key, Ready> ready_since_;
  std::map<Key, Working> working_;
  Agenda<Key> later_;
  std::map<Key, unsigned> failures_;
  double tokens_ = 0;  // of the shared bucket
  Timestamp tokens_at_;
  Timestamp reported_at_;
};

}  // namespace ebb::control
