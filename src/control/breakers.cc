#include "control/breakers.h"

#include <algorithm>

namespace ebb::control {
namespace {

// Whoever has not scaled down for so long starts anew.
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

Breakers::Change Breakers::heard(const Who& who, News news, Now now) {
  auto found = remembered_.find(who);
  if (found == remembered_.end()) {
    if (news != News::kFailed) return Change::kNone;
    forget_old(now);
    found = remembered_.emplace(who, Remembered{}).first;
  }
  Breaker& breaker = found->second.breaker;
  found->second.used = now.mono;
  const Breaker::State before = breaker.state();
  if (news == News::kAnswered) breaker.succeeded();
  if (news == News::kFailed) breaker.failed(now.mono);
  if (news == News::kNothing) breaker.came_to_nothing();
  const Breaker::State after = breaker.state();
  if (breaker.is_new()) remembered_.erase(found);
  if (before == after) return Change::kNone;
  recount();
  if (after == Breaker::State::kClosed) {
    telemetry_.count(Count::kBreakersClosed);
    return Change::kClosed;
  }
  // A try that fails is no news for anybody: it was not asked before, and it is not asked now.
  if (before == Breaker::State::kHalfOpen) return Change::kNone;
  telemetry_.count(Count::kBreakersOpened);
  return Change::kOpened;
}

void Breakers::forget_workload(std::string_view uid) {
  const auto gone =
      std::erase_if(remembered_, [&](const auto& entry) { return entry.first.first == uid; });
  if (gone > 0) recount();
}

// Seldom enough to cost nothing: only when there are twice as many as were left the last time.
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
