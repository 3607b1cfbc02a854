// Pods that left their ReplicaSet in the last seconds, as they were before.
//
// The watches of pods and ReplicaSets are not ordered: pods that a scale-down removes may be gone
// from the cache before it shows the smaller size. Revisions tell what came first.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "base/deadline_queue.h"
#include "base/timestamp.h"
#include "control/cache/store.h"
#include "model/records/pool.h"

namespace ebb::control::shadow {

struct Departure {
  model::Pod pod{};
  model::Revision revision = 0;  // of the state in which it had left; 0 if unknown
  bool deleted = false;          // otherwise it finished, or was released
  Timestamp at{};                // zero: since the last run()
};

class RecentDepartures {
 public:
  static constexpr Nanoseconds kKeptNs = 10 * kNanosecondsPerSecond;
  // A tenant can delete a hundred thousand pods at once.
  static constexpr std::size_t kMaxKept = 20'000;

  // `pod` is its last state; its copy is an active pod.
  void add(std::string_view set_uid, const Pod& pod, model::Revision revision, bool deleted);
  // Null if there are none.
  [[nodiscard]] const std::deque<Departure>* of(std::string_view set_uid) const;

  // Forgets the old ones. New ones count from now.
  void run(Timestamp mono);
  [[nodiscard]] Timestamp wake_at() const { return fresh_.empty() ? expiries_.next() : kRightAway; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void compact();

  model::Pool pool_;
  std::size_t compact_bytes_ = 0;  // of the pool, after it was last rebuilt
  std::map<std::string, std::deque<Departure>, std::less<>> by_set_;  // by uid, oldest first
  std::map<std::string, std::size_t, std::less<>> fresh_;  // how many of the last have no time yet
  DeadlineQueue<std::string> expiries_;
  std::size_t size_ = 0;
};

// A copy of the pod in another pool, as an active pod.
[[nodiscard]] model::Pod copy_active(const model::Pod& pod, model::Pool& pool);

}  // namespace ebb::control::shadow
