#include "control/picker/breakers.h"

#include <algorithm>

namespace ebb::control {
namespace {

// Breakers that were not used for this long are dropped.
constexpr Nanoseconds kRememberedForNs = 3600 * kNanosecondsPerSecond;
constexpr std::size_t kFew = 1000;

}  // namespace

bool Breakers::admits(const Who& who, Now now) {
  const auto found = remembered_.find(who);
  if (found == remembered_.end()) return true;
  Breaker& breaker = found->second.breaker;
  found->second.used = now.mono;
  const bool was_open = breaker.state() == Breaker::State::kOpen;
  const bool admitted = breaker.admits(now.mono);
  if (was_open && breaker.state() == Breaker::State::kHalfOpen) {
    telemetry_.count(Count::kBreakersHalfOpened);
  }
  return admitted;
}

Breakers::Change Breakers::record(const Who& who, CallResult result, Now now) {
  auto found = remembered_.find(who);
  if (found == remembered_.end()) {
    if (result != CallResult::kFailed) return Change::kNone;
    forget_old(now);
    found = remembered_.emplace(who, Remembered{}).first;
  }
  Breaker& breaker = found->second.breaker;
  found->second.used = now.mono;
  const Breaker::State before = breaker.state();
  if (result == CallResult::kAnswered) breaker.succeeded();
  if (result == CallResult::kFailed) breaker.failed(now.mono);
  if (result == CallResult::kNothing) breaker.inconclusive();
  const Breaker::State after = breaker.state();
  if (breaker.is_new()) remembered_.erase(found);
  if (before == after) return Change::kNone;
  recount();
  if (after == Breaker::State::kClosed) {
    telemetry_.count(Count::kBreakersClosed);
    return Change::kClosed;
  }
  // A failed probe is not a change: the picker was not called before and is not called now.
  if (before == Breaker::State::kHalfOpen) return Change::kNone;
  telemetry_.count(Count::kBreakersOpened);
  return Change::kOpened;
}

void Breakers::forget_workload(std::string_view workload) {
  const auto gone =
      std::erase_if(remembered_, [&](const auto& entry) { return entry.first.first == workload; });
  if (gone > 0) recount();
}

// Runs only when the number has doubled since the last cleanup, so the amortised cost is small.
void Breakers::forget_old(Now now) {
  if (remembered_.size() < std::max(kFew, 2 * after_forgetting_)) return;
  std::erase_if(remembered_, [&](const auto& entry) {
    return elapsed_ns(entry.second.used, now.mono) > kRememberedForNs;
  });
  after_forgetting_ = remembered_.size();
  recount();
}

void Breakers::recount() {
  const auto open = std::count_if(remembered_.begin(), remembered_.end(), [](const auto& entry) {
    return entry.second.breaker.state() != Breaker::State::kClosed;
  });
  telemetry_.set(Gauge::kOpenBreakers, {}, static_cast<double>(open));
}

}  // namespace ebb::control
