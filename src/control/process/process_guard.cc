// The part of a process that applies the guards of its controllers (guards.h).
#include <algorithm>

#include <fmt/format.h>

#include "control/process/process_impl.h"

namespace ebb::control {
namespace {

// Guards whose waits end at about the same time share one list.
constexpr Nanoseconds kGatherNs = 2 * kNanosecondsPerSecond;

}  // namespace

Nanoseconds Process::Impl::saw_foreign_write(Now now) {
  return guards_ ? guards_->saw_foreign_write(now) : 0;
}

std::vector<GuardStatus> Process::Impl::guard_statuses(Now now) const {
  std::vector<GuardStatus> statuses;
  if (!guards_) return statuses;
  for (const CanaryGuard& guard : guards_->all()) statuses.push_back(guard.status(now));
  return statuses;
}

bool Process::Impl::may_write(std::size_t controller) const {
  if (!guards_) return true;
  const auto guarded = controllers_[controller]->guarded();
  return !guarded || guards_->may_write(*guarded, now_.mono);
}

void Process::Impl::guard() {
  if (!guards_) return;
  if (phase == Phase::kWorking) guards_->begin_leading(now_);
  guards_->run(now_);
  while (auto wanted = guards_->take_wanted(now_)) {
    queue({.who = Owner::Who::kGuard, .ticket = wanted->ticket},
          {.kind = Call::Kind::kLease,
           .request = std::move(wanted->request),
           .deadline_ns = wanted->deadline_ns});
  }
  if (guards_->forbidden() && (phase == Phase::kElecting || phase == Phase::kWorking)) {
    canary_forbidden = true;
    for (const GuardStatus& status : guard_statuses(now_)) {
      if (status.state != GuardState::kForbidden) continue;
      telemetry.log(Severity::kError, 0,
                    fmt::format("{} {}; {}", status.controller, status.reason, status.remedy),
                    {{"controller", status.controller}});
    }
    begin_finishing();
  }
  if (phase == Phase::kWorking && synced) {
    for (CanaryGuard& guard : guards_->all()) {
      if (!guard.acting() && !guard.wait_over_at().is_zero()) take_over(guard);
    }
    guards_->run(now_);
  }
  if (phase == Phase::kWorking) {
    for (const CanaryGuard& each : guards_->all()) {
      if (auto event = guard_events_.take(each, now_)) record_event(std::move(*event), now_);
    }
  }
  suspend_controllers();
}

// Watches may lag without bound. Before a controller acts, its caches must show everything that
// other controllers did in the meantime, so everything is listed again.
void Process::Impl::take_over(CanaryGuard& guard) {
  const Timestamp since = guard.wait_over_at();
  bool is_fresh = !store.mixed();
  for (const FollowedResource& each : reflectors_) {
    is_fresh = is_fresh && (each.reflector.is_optional() || each.reflector.listed_since(since));
  }
  if (is_fresh || !settings.safeguards.lists_before_taking_over) return guard.take_over(now_);
  if (now_.mono < later_by(since, kGatherNs)) return;
  for (FollowedResource& each : reflectors_) {
    if (!each.reflector.is_optional() && !each.reflector.listed_since(since)) {
      each.reflector.refresh(now_);
    }
  }
  follow();
}

void Process::Impl::suspend_controllers() {
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    if (suspended_[index] || may_write(index)) continue;
    suspended_[index] = true;
    running_ = index;
    controllers_[index]->suspended();
    running_.reset();
  }
}

void Process::Impl::withhold_writes() {
  if (!guards_) return;
  bool all_may = true;
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    all_may = all_may && may_write(index);
  }
  if (all_may) return;
  dispatcher_.refuse_writes([this](CallId id) {
    const auto owner = owners_.find(id);
    if (owner == owners_.end() || owner->second.who != Owner::Who::kController) return false;
    if (may_write(owner->second.index)) return false;
    controllers_[owner->second.index]->withheld(id);
    return true;
  });
}

}  // namespace ebb::control
