// Notices that another program keeps changing the values that the ranker publishes on pods, and
// says for how long the ranker writes none for that workload.
//
// The ranker never changes a value of another client. But it ranks new pods, and pods whose value
// was removed; a program that manages deletion costs without looking who wrote them, such as
// Karpenter's PodDeletionCostManagement, changes these too. Then the two would write against each
// other for as long as both run, and the order on the pods would be a mixture of both.
//
// Changes are counted in rounds, by policy: everything within ten seconds is one round, because
// such a program goes over all pods of a workload. The third round begins a pause. A person who
// sets a few costs by hand causes one round.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

#include "base/now.h"
#include "control/cache/store.h"
#include "control/core/work_queue.h"
#include "control/policy/policy_reports.h"
#include "ranking/settings.h"

namespace ebb::control {

inline constexpr unsigned kContestedRounds = 3;
inline constexpr Nanoseconds kContestRoundNs = 10 * kNanosecondsPerSecond;
// Rounds that are further apart do not belong together. Karpenter takes at most five minutes.
inline constexpr Nanoseconds kBetweenContestRoundsNs = 600 * kNanosecondsPerSecond;
inline constexpr Nanoseconds kContestPauseNs = 1800 * kNanosecondsPerSecond;

// Where ranks are published on pods; nothing: nowhere. Null settings are invalid ones.
[[nodiscard]] std::optional<ranking::Publish> carrier_on_pods(const ranking::Settings* settings);

// Whether the change takes away a value that the ranker published in this carrier: it is another
// one now, or gone. Values of `ebb webhook` (scale_down_mark.h) are ebb's own.
[[nodiscard]] bool takes_published_value(const Change<Pod>& change, ranking::Publish carrier);

class ContestedCosts {
 public:
  struct Pause {
    Timestamp until{};       // on the monotonic clock
    Timestamp until_wall{};  // the same on the wall clock, for the status
    std::size_t values = 0;  // that were changed before it began
  };

  // Another client changed so many values that the ranker had published for this policy. Returns
  // whether that begins a pause.
  [[nodiscard]] bool changed(const Key& policy, std::size_t values, Now now);
  // The pause that the policy is in; null: there is none.
  [[nodiscard]] const Pause* pause(const Key& policy, Now now) const;
  // The policy has changed, or it or its workload is gone.
  void forget(const Key& policy) { contests_.erase(policy); }

 private:
  struct Contest {
    unsigned rounds = 0;
    Timestamp round_at{};  // when the last one began
    Pause pause{};         // until is zero while there is none
  };
  std::map<Key, Contest> contests_;
};

// What the status of the policy says during a pause, and while every pod of a ReplicaSet keeps a
// value of the other program, so that nothing is left to contest.
[[nodiscard]] PolicyReports::Contest paused_contest(const ContestedCosts::Pause& pause,
                                                    ranking::Publish publish);
[[nodiscard]] PolicyReports::Contest lost_contest(std::string_view replica_set, std::size_t pods,
                                                  ranking::Publish publish);

}  // namespace ebb::control
