// Carries admission reviews from the threads of a server to the thread that runs a process, and the
// answers back. A review is answered at most once, and dropped when its client has disconnected or
// its time is over.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/deadline_queue.h"
#include "base/mutex.h"
#include "base/timestamp.h"
#include "control/controller/admission.h"

namespace ebb::runtime {

class ReviewCalls {
 public:
  // Called with the body of the response, from the thread that runs the process; it must return at
  // once. An empty body: the request was not a review.
  using Respond = std::function<void(std::string body)>;

  // Something that the process must learn, in the order of occurrence.
  struct Event {
    control::ReviewId review = 0;  // 0: a new CA bundle
    bool dropped = false;
    std::string text{};  // the review's body, or the bundle
  };

  // `max_waiting` is the number of reviews without an answer.
  explicit ReviewCalls(std::size_t max_waiting) : max_waiting_(max_waiting) {}

  // For the thread that runs the process. `wake` is called from any thread whenever there are
  // events; it must be set before the first of them, and is not called after it was reset.
  void set_wake(std::function<void()> wake);
  // Adds the reviews whose deadline has passed as dropped.
  [[nodiscard]] std::vector<Event> take(Timestamp mono);
  void answer(const control::ReviewAnswer& answer);
  // The next deadline; the zero time: none.
  [[nodiscard]] Timestamp wake_at() const;

  // For the server, from any thread. Nothing if too many reviews are waiting. `deadline` is on the
  // monotonic clock.
  [[nodiscard]] std::optional<control::ReviewId> put(std::string body, Timestamp deadline,
                                                     Respond respond);
  // Does nothing if the review was answered already.
  void drop(control::ReviewId id);
  // The certificates that the API server has to trust.
  void set_ca_bundle(std::string pem);

 private:
  void wake();

  const std::size_t max_waiting_;
  mutable Mutex mutex_;
  std::function<void()> wake_ EBB_GUARDED_BY(mutex_);
  control::ReviewId next_id_ EBB_GUARDED_BY(mutex_) = 1;
  std::unordered_map<control::ReviewId, Respond> waiting_ EBB_GUARDED_BY(mutex_);
  DeadlineQueue<control::ReviewId> deadlines_ EBB_GUARDED_BY(mutex_);
  std::vector<Event> events_ EBB_GUARDED_BY(mutex_);
};

}  // namespace ebb::runtime
