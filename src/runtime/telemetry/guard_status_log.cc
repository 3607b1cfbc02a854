#include "runtime/telemetry/guard_status_log.h"

#include <utility>

#include <fmt/format.h>

namespace ebb::runtime {
namespace {

using control::GuardState;

// A reason may contain a countdown. While nothing else changes, one line a minute is enough.
constexpr Nanoseconds kLinePeriodNs = 60 * kNanosecondsPerSecond;

std::string text_of(const control::GuardStatus& status) {
  if (status.acting) return fmt::format("{} acts", status.controller);
  if (status.state == GuardState::kStandby) {
    return fmt::format("{} stands by: {}", status.controller, status.reason);
  }
  return fmt::format("{} does not act: {}; {}", status.controller, status.reason, status.remedy);
}

}  // namespace

std::optional<GuardStatusLog::Line> GuardStatusLog::observe(const control::GuardStatus& status,
                                                            Timestamp mono) {
  const auto [at, first] = logged_.try_emplace(std::string(status.controller));
  Logged& logged = at->second;
  if (!first && logged.state == status.state) {
    if (logged.reason == status.reason) return std::nullopt;
    if (elapsed_ns(logged.at, mono) < kLinePeriodNs) return std::nullopt;
  }
  logged = {.state = status.state, .reason = status.reason, .at = mono};
  return Line{.bad = status.state == GuardState::kBlocked,
              .text = text_of(status),
              .fields = {{"controller", status.controller}, {"state", to_string(status.state)}}};
}

}  // namespace ebb::runtime
