#include "runtime/host/review_calls.h"

#include <utility>

namespace ebb::runtime {

void ReviewCalls::set_wake(std::function<void()> wake) {
  const MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

// Under the mutex: the thread that resets it must not destroy what it wakes while it is called.
void ReviewCalls::wake() {
  const MutexLock lock(mutex_);
  if (wake_) wake_();
}

std::vector<ReviewCalls::Event> ReviewCalls::take(Timestamp mono) {
  const MutexLock lock(mutex_);
  for (const control::ReviewId id : deadlines_.take_due(mono)) {
    if (waiting_.erase(id) != 0) events_.push_back({.review = id, .dropped = true});
  }
  return std::exchange(events_, {});
}

void ReviewCalls::answer(const control::ReviewAnswer& answer) {
  Respond respond;
  {
    const MutexLock lock(mutex_);
    const auto found = waiting_.find(answer.id);
    if (found == waiting_.end()) return;  // dropped meanwhile
    respond = std::move(found->second);
    waiting_.erase(found);
    deadlines_.erase(answer.id);
  }
  respond(answer.body);
}

Timestamp ReviewCalls::wake_at() const {
  const MutexLock lock(mutex_);
  return deadlines_.next();
}

std::optional<control::ReviewId> ReviewCalls::put(std::string body, Timestamp deadline,
                                                  Respond respond) {
  control::ReviewId id = 0;
  {
    const MutexLock lock(mutex_);
    if (waiting_.size() >= max_waiting_) return std::nullopt;
    id = next_id_++;
    waiting_.emplace(id, std::move(respond));
    deadlines_.set(id, deadline);
    events_.push_back({.review = id, .text = std::move(body)});
  }
  wake();
  return id;
}

void ReviewCalls::drop(control::ReviewId id) {
  Respond unused;  // destroyed without the mutex: it holds the exchange
  {
    const MutexLock lock(mutex_);
    const auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    unused = std::move(found->second);
    waiting_.erase(found);
    deadlines_.erase(id);
    events_.push_back({.review = id, .dropped = true});
  }
  wake();
}

void ReviewCalls::set_ca_bundle(std::string pem) {
  {
    const MutexLock lock(mutex_);
    events_.push_back({.text = std::move(pem)});
  }
  wake();
}

}  // namespace ebb::runtime
