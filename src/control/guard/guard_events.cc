#include "control/guard/guard_events.h"

#include <utility>

#include <fmt/format.h>

namespace ebb::control {

std::optional<Event> GuardEvents::take(const CanaryGuard& guard, Now now) {
  const auto& canary = guard.canary();
  if (!canary) return std::nullopt;
  Recorded& last = recorded_[static_cast<std::size_t>(guard.guarded())];
  const bool same = last.signs.acting == guard.acting() && last.signs.armed == canary->armed() &&
                    last.signs.uid == canary->uid;
  if (same) return std::nullopt;
  const bool is_new = last.signs.uid != canary->uid;
  last.signs = {.uid = canary->uid, .acting = guard.acting(), .armed = canary->armed()};
  const GuardStatus status = guard.status(now);
  if (!is_new && last.state == status.state) return std::nullopt;
  last.state = status.state;
  Event event{.kind = &kind_of(guard.guarded()),
              .namespace_name = guard.options().namespace_name,
              .name = guard.options().canary_name,
              .uid = canary->uid,
              .warning = status.state == GuardState::kBlocked,
              .reason = status.acting ? "Acting" : "NotActing",
              .component = status.controller};
  event.message =
      status.acting ? fmt::format("ebb's {} acts: no other controller is acting", status.controller)
                    : fmt::format("ebb's {} does not act: {}; {}", status.controller, status.reason,
                                  status.remedy);
  return event;
}

}  // namespace ebb::control
