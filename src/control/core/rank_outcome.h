// How ranks were applied in a scale-down.
#pragma once

#include <cstdint>
#include <string_view>

namespace ebb::control {

enum class RankOutcome : std::uint8_t {
  kRanked,       // they decide where rules 1 to 3 and deletion cost leave a choice
  kNotNeeded,    // there is nothing for them to decide
  kRollout,      // not applied while another ReplicaSet of the owner has pods
  kUnpublished,  // a policy asks for them, but there are none
  kIncomplete,   // some pods have none
  kStale,        // they are out of date
  kBadSettings,  // the policy's ranking is invalid
};

[[nodiscard]] constexpr std::string_view to_string(RankOutcome outcome) {
  switch (outcome) {
    case RankOutcome::kRanked:
      return "ranked";
    case RankOutcome::kNotNeeded:
      return "not needed";
    case RankOutcome::kRollout:
      return "rollout";
    case RankOutcome::kUnpublished:
      return "unpublished";
    case RankOutcome::kIncomplete:
      return "incomplete";
    case RankOutcome::kStale:
      return "stale";
    case RankOutcome::kBadSettings:
      break;
  }
  return "bad settings";
}

// Why the default order decides although ranks should have been applied, as a metric label; empty:
// it does not.
[[nodiscard]] constexpr std::string_view fallback_cause(RankOutcome outcome) {
  switch (outcome) {
    case RankOutcome::kRanked:
    case RankOutcome::kNotNeeded:
    case RankOutcome::kRollout:
      return {};
    case RankOutcome::kUnpublished:
      return "no ranks";
    case RankOutcome::kIncomplete:
      return "incomplete ranks";
    case RankOutcome::kStale:
      return "stale ranks";
    case RankOutcome::kBadSettings:
      break;
  }
  return "bad ranking settings";
}

}  // namespace ebb::control
