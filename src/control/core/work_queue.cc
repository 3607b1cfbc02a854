#include "control/core/work_queue.h"

#include <algorithm>
#include <cmath>

namespace ebb::control {
namespace {

constexpr Nanoseconds kFirstDelay = 5'000'000;
constexpr Nanoseconds kLongestDelay = 30 * kNanosecondsPerSecond;
constexpr Nanoseconds kBetweenReports = 500'000'000;  // as upstream
constexpr double kRetriesPerSecond = 10;
constexpr double kRetryBurst = 100;

Nanoseconds backoff_ns(unsigned failures) {
  constexpr unsigned kEnough = 13;  // 5 ms doubled this often exceeds the longest delay
  return std::min(kLongestDelay, kFirstDelay << std::min(failures, kEnough));
}

double seconds(Timestamp from, Timestamp to) {
  return static_cast<double>(elapsed_ns(from, to)) / static_cast<double>(kNanosecondsPerSecond);
}

}  // namespace

WorkQueue::WorkQueue(std::string name, Telemetry& telemetry)
    : name_(std::move(name)), telemetry_(telemetry), tokens_(kRetryBurst) {}

void WorkQueue::add(const Key& key, Now now) {
  if (const auto working = working_.find(key); working != working_.end()) {
    working->second.again = true;
    return;
  }
  const Ready ready{.due = now.mono, .since = telemetry_.moment(now.mono)};
  const auto [place, is_new] = ready_since_.emplace(key, ready);
  if (!is_new) return;
  ready_.join(key.namespace_name, &place->first);
  telemetry_.count(Count::kQueueAdds, name_);
  telemetry_.set(Gauge::kQueueDepth, name_, static_cast<double>(ready_.size()));
}

void WorkQueue::add_after(const Key& key, Nanoseconds delay_ns, Now now) {
  if (delay_ns <= 0) return add(key, now);
  const Timestamp due = later_by(now.mono, delay_ns);
  if (const Timestamp known = later_.deadline_of(key); known.is_zero() || due < known) {
    later_.set(key, due);
  }
}

void WorkQueue::add_after_failure(const Key& key, Now now) {
  telemetry_.count(Count::kQueueRetries, name_);
  backoffs_.set(key, later_by(now.mono, backoff_ns(failures_[key]++)));
}

void WorkQueue::refill(Now now) {
  if (!tokens_at_.is_zero()) {
    tokens_ = std::min(kRetryBurst, tokens_ + kRetriesPerSecond * seconds(tokens_at_, now.mono));
  }
  tokens_at_ = now.mono;
}

void WorkQueue::add_due(Now now) {
  for (const Key& key : later_.take_due(now.mono, later_.size())) add(key, now);
  for (const Key& key : backoffs_.take_due(now.mono, backoffs_.size())) {
    if (!retries_.contains(key)) retries_.join(key.namespace_name, key);
  }
  if (retries_.empty()) return;
  refill(now);
  for (; tokens_ >= 1 && !retries_.empty(); tokens_ -= 1) add(*retries_.next(), now);
}

void WorkQueue::forget_failures(const Key& key) { failures_.erase(key); }

std::optional<Key> WorkQueue::take(Now now, const MayTake& may) {
  add_due(now);
  const auto next = may ? ready_.next(may) : ready_.next();
  if (!next) return std::nullopt;
  auto taken = ready_since_.extract(**next);
  Key key = std::move(taken.key());
  const Timestamp moment = telemetry_.moment(now.mono);
  telemetry_.observe(Histogram::kQueueWaitSeconds, name_, seconds(taken.mapped().since, moment));
  working_.emplace(key, Working{.since = moment});
  telemetry_.set(Gauge::kQueueDepth, name_, static_cast<double>(ready_.size()));
  return key;
}

void WorkQueue::done(const Key& key, Now now) {
  const auto working = working_.find(key);
  if (working == working_.end()) return;
  telemetry_.observe(Histogram::kWorkSeconds, name_,
                     seconds(working->second.since, telemetry_.moment(now.mono)));
  const bool again = working->second.again;
  working_.erase(working);
  if (again) add(key, now);
}

void WorkQueue::report(Now now) {
  if (!working_.empty() && elapsed_ns(reported_at_, now.mono) < kBetweenReports) return;
  reported_at_ = now.mono;
  const Timestamp moment = telemetry_.moment(now.mono);
  double all = 0;
  double longest = 0;
  for (const auto& [key, working] : working_) {
    const double taken = seconds(working.since, moment);
    all += taken;
    longest = std::max(longest, taken);
  }
  telemetry_.set(Gauge::kUnfinishedWorkSeconds, name_, all);
  telemetry_.set(Gauge::kLongestWorkSeconds, name_, longest);
}

Timestamp WorkQueue::wake_at() const {
  return ready_.empty() ? wake_at_for_delayed() : ready_since_.begin()->second.due;
}

Timestamp WorkQueue::wake_at_for_delayed() const {
  const Timestamp wake = sooner(later_.next(), backoffs_.next());
  if (retries_.empty()) return wake;
  // Rounded up, so that a whole token is available at that time.
  const double wait_ns = std::ceil(std::max(0.0, 1 - tokens_) / kRetriesPerSecond *
                                   static_cast<double>(kNanosecondsPerSecond));
  return sooner(wake, later_by(tokens_at_, static_cast<Nanoseconds>(wait_ns)));
}

}  // namespace ebb::control
