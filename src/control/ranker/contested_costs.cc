#include "control/ranker/contested_costs.h"

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/cache/rank_carriers.h"
#include "model/api/requests.h"
#include "model/records/scale_down_mark.h"

namespace ebb::control {

using ranking::Publish;

namespace {

// Deletion costs come before ranks, so the other program's decide unless they are ignored.
std::string_view remedy(Publish publish) {
  return publish == Publish::kPodDeletionCost
             ? "use publish: PodGroupCost and deletionCost: Ignore, which ebb webhook and ebb's "
               "ReplicaSet controller follow, or stop the other program"
             : "use publish: PodGroupCost, or stop the other program";
}

}  // namespace

std::optional<Publish> carrier_on_pods(const ranking::Settings* settings) {
  if (settings == nullptr || settings->publish == Publish::kPodGroupCost) return {};
  return settings->publish;
}

bool takes_published_value(const Change<Pod>& change, Publish carrier) {
  if (change.before == nullptr || change.after == nullptr || !change.after->active()) return false;
  if (carrier == Publish::kPodDeletionCost && model::has_marked_cost(*change.after)) {
    return false;
  }
  return rank_on_pod(*change.before, carrier).rank && !rank_on_pod(*change.after, carrier).rank;
}

bool ContestedCosts::changed(const Key& policy, std::size_t values, Now now) {
  Contest& contest = contests_[policy];
  const Nanoseconds since = elapsed_ns(contest.round_at, now.mono);
  const bool paused = now.mono < contest.pause.until;
  if (contest.rounds == 0 || (!paused && since > kBetweenContestRoundsNs)) {
    contest = {.rounds = 1, .round_at = now.mono, .pause = {.values = values}};
    return false;
  }
  if (paused) return false;
  contest.pause.values += values;
  if (since < kContestRoundNs) return false;
  contest.round_at = now.mono;
  if (++contest.rounds < kContestedRounds) return false;
  contest.pause.until = later_by(now.mono, kContestPauseNs);
  contest.pause.until_wall = later_by(now.wall, kContestPauseNs);
  return true;
}

const ContestedCosts::Pause* ContestedCosts::pause(const Key& policy, Now now) const {
  const auto found = contests_.find(policy);
  if (found == contests_.end() || !(now.mono < found->second.pause.until)) return nullptr;
  return &found->second.pause;
}

PolicyReports::Contest paused_contest(const ContestedCosts::Pause& pause, Publish publish) {
  return {.reason = "WritesPaused",
          .message = fmt::format(
              "another program keeps changing the values that ebb publishes as {} ({} values in {} "
              "rounds), so ebb has removed its own and writes none until {} or until this policy "
              "changes; {}",
              to_string(publish), pause.values, kContestedRounds,
              model::time_text(pause.until_wall), remedy(publish))};
}

PolicyReports::Contest lost_contest(std::string_view replica_set, std::size_t pods,
                                    Publish publish) {
  return {.reason = "AllOverwritten",
          .message = fmt::format(
              "another program has overwritten the values that ebb published as {}: all {} pods of "
              "ReplicaSet {} have values of other programs, which ebb leaves alone; {}",
              to_string(publish), pods, replica_set, remedy(publish))};
}

}  // namespace ebb::control
