#include "runtime/pages/review_queue.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/check.h"

namespace ebb::runtime {

bool ReviewQueue::Lane::operator<(const Lane& other) const {
  return std::tie(known, peer.v4, peer.bytes) <
         std::tie(other.known, other.peer.v4, other.peer.bytes);
}

bool ReviewQueue::has_room(const Lane& lane) const {
  const auto found = waiting_by_lane_.find(lane);
  const std::size_t own = found == waiting_by_lane_.end() ? 0 : found->second;
  if (lane.known) return own < limits_.max_waiting_known;
  return own < limits_.max_waiting_per_peer && waiting_ < limits_.max_waiting;
}

bool ReviewQueue::add(Request request) {
  const Lane lane{.known = request.known, .peer = request.known ? net::IpAddress{} : request.peer};
  if (!has_room(lane)) return false;
  if (!lane.known) ++waiting_;
  ++waiting_by_lane_[lane];
  const auto [place, fresh] = pending_.try_emplace(request.key);
  place->second.waiters.emplace_back(lane, std::move(request.waiter));
  if (!fresh) return true;
  place->second.token = std::move(request.token);
  place->second.path = std::move(request.path);
  if (lane.known) {
    known_.push_back(request.key);
    return true;
  }
  auto& queue = not_started_[lane];
  if (queue.empty()) turns_.push_back(lane);
  queue.push_back(request.key);
  return true;
}

bool ReviewQueue::may_start() const {
  return in_flight_ < limits_.max_in_flight && !(known_.empty() && turns_.empty());
}

ReviewKey ReviewQueue::take_turn() {
  if (!known_.empty()) {
    const ReviewKey key = known_.front();
    known_.pop_front();
    return key;
  }
  const Lane lane = turns_.front();
  turns_.pop_front();
  const auto queue = not_started_.find(lane);
  EBB_CHECK(queue != not_started_.end());
  const ReviewKey key = queue->second.front();
  queue->second.pop_front();
  if (queue->second.empty()) {
    not_started_.erase(queue);
  } else {
    turns_.push_back(lane);
  }
  return key;
}

std::optional<ReviewQueue::Review> ReviewQueue::next(Timestamp now) {
  if (!refilled_.is_zero()) {
    const double seconds = static_cast<double>(elapsed_ns(refilled_, now)) /
                           static_cast<double>(kNanosecondsPerSecond);
    permits_ = std::min(limits_.burst, permits_ + std::max(seconds, 0.0) * limits_.max_per_second);
  }
  refilled_ = now;
  if (!may_start() || permits_ < 1) return std::nullopt;
  permits_ -= 1;
  ++in_flight_;
  const ReviewKey key = take_turn();
  Pending& pending = pending_.at(key);
  return Review{key, std::move(pending.token), std::move(pending.path)};
}

std::vector<ReviewQueue::Waiter> ReviewQueue::finish(const ReviewKey& key) {
  const auto found = pending_.find(key);
  EBB_CHECK(found != pending_.end() && in_flight_ > 0);
  std::vector<Waiter> waiters;
  for (auto& [lane, waiter] : found->second.waiters) {
    const auto own = waiting_by_lane_.find(lane);
    if (--own->second == 0) waiting_by_lane_.erase(own);
    if (!lane.known) --waiting_;
    waiters.push_back(std::move(waiter));
  }
  pending_.erase(found);
  --in_flight_;
  return waiters;
}

Nanoseconds ReviewQueue::wait_ns(Nanoseconds longest_ns) const {
  if (!may_start()) return longest_ns;
  const double seconds = std::max(1 - permits_, 0.0) / limits_.max_per_second;
  // Rounds up, so that the wait does not end too early.
  const auto ns =
      static_cast<Nanoseconds>(seconds * static_cast<double>(kNanosecondsPerSecond)) + 1;
  return std::min(longest_ns, ns);
}

}  // namespace ebb::runtime
