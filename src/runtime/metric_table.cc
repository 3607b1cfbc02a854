#include "runtime/metric_table.h"

namespace ebb::runtime {
namespace {

using control::Count;
using control::Gauge;
using control::Histogram;

// Those of Kubernetes' queues: 10 ns to 1000 s.
const std::vector<double>& queue_bounds() {
  static const std::vector<double> kBounds = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3,
                                              1e-2, 1e-1, 1,    10,   100,  1000};
  return kBounds;
}
const std::vector<double>& ratio_bounds() {
  static const std::vector<double> kBounds = {0.25, 0.5, 1, 2, 4, 8};
  return kBounds;
}

}  // namespace

const std::vector<double>& request_bounds() {
  static const std::vector<double> kBounds = {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
  return kBounds;
}

const std::vector<CountName>& count_names() {
  static const std::vector<CountName> kNames = {
      {{"workqueue_adds_total", "name", "Total number of adds handled by workqueue"},
       Count::kQueueAdds},
      {{"workqueue_retries_total", "name", "Total number of retries handled by workqueue"},
       Count::kQueueRetries},
      {{"ebb_decisions_total", "", "Rounds of scale-downs that were decided"}, Count::kDecisions},
      {{"ebb_victims_total", "rule", "Pods chosen to go, by the rule that decided"},
       Count::kVictims},
      {{"ebb_fallbacks_total", "cause",
        "Scale-downs in which something that should have been asked was not heeded"},
       Count::kFallbacks},
      {{"ebb_rank_waits_total", "", "Times that a scale-down waited for ranks of its pods"},
       Count::kRankWaits},
      {{"ebb_picker_consultations_total", "outcome",
        "Rounds of scale-downs for which a picker is configured, by how asking it ended"},
       Count::kConsultations},
      {{"ebb_picker_attempts_total", "outcome", "Questions sent to pickers, by how each went"},
       Count::kPickerAttempts},
      {{"ebb_picker_names_ignored_total", "",
        "Names in the answers of pickers that were no candidates"},
       Count::kNamesIgnored},
      {{"ebb_picker_answers_unneeded_total", "",
        "Answers of pickers that came when nothing was left to decide"},
       Count::kAnswersUnneeded},
      {{"ebb_picker_breakers_opened_total", "",
        "Times a workload's picker failed so often that it is not asked for a while"},
       Count::kBreakersOpened},
      {{"ebb_picker_breakers_half_opened_total", "",
        "Times a picker that was not asked for a while was tried again"},
       Count::kBreakersHalfOpened},
      {{"ebb_picker_breakers_closed_total", "", "Times a picker that had failed answered again"},
       Count::kBreakersClosed},
      {{"ebb_rankings_total", "", "Times the pods of a ReplicaSet were ranked"}, Count::kRankings},
      {{"ebb_rank_writes_total", "carrier", "Writes of ranks, by where they were written"},
       Count::kRankWrites},
      {{"replicaset_controller_stale_sync_skips_total", "resource",
        "Total number of ReplicaSet syncs skipped due to a stale cache"},
       Count::kStaleSyncSkips},
      {{"ebb_expectations_expired_total", "",
        "Creations and deletions that were not seen in time; the pods were looked at again"},
       Count::kExpectationsExpired},
      {{"ebb_pod_lists_confirming_creates_total", "",
        "Live lists of pods that settled creations of unknown outcome"},
       Count::kPodsConfirmed},
      {{"ebb_pod_creates_unknown_total", "", "Creations of pods of which nobody knows the outcome"},
       Count::kCreatesUnknown},
      {{"ebb_pod_deletes_repeated_total", "",
        "Deletions of pods that were sent again because nobody knows the outcome"},
       Count::kDeletesRepeated},
      {{"ebb_pod_deletes_refused_total", "", "Deletions of pods that were refused"},
       Count::kDeletesRefused},
      {{"ebb_pod_deletes_missed_total", "", "Deletions of pods that had gone already"},
       Count::kDeletesMissed},
      {{"ebb_pod_creates_refused_total", "", "Creations of pods that were refused"},
       Count::kCreatesRefused},
      {{"ebb_adoptions_total", "", "Objects adopted"}, Count::kAdoptions},
      {{"ebb_releases_total", "", "Objects released"}, Count::kReleases},
      {{"ebb_adoptions_refused_total", "",
        "Adoptions given up because a live look at the owner said no"},
       Count::kAdoptionsRefused},
      {{"ebb_status_conflicts_total", "", "Status writes repeated after a fresh read"},
       Count::kStatusConflicts},
      {{"ebb_deployment_stale_sync_skips_total", "",
        "Looks at a Deployment put off because its own writes did not show yet"},
       Count::kDeploymentStaleSyncSkips},
      {{"ebb_hash_collisions_total", "", "Names of new ReplicaSets that were taken"},
       Count::kHashCollisions},
      {{"ebb_rollbacks_total", "", "Deployments rolled back"}, Count::kRollbacks},
      {{"ebb_lists_total", "resource", "Lists begun"}, Count::kLists},
      {{"ebb_relists_total", "resource", "Lists begun after a loss of place"}, Count::kRelists},
      {{"ebb_watches_total", "resource", "Watches begun"}, Count::kWatches},
      {{"ebb_watch_errors_total", "resource", "Watches that ended badly"}, Count::kWatchErrors},
      {{"ebb_streaming_lists_refused_total", "resource",
        "Streaming lists that the server does not have"},
       Count::kStreamingListRefused},
      {{"rest_client_request_retries_total", "", "Number of request retries"},
       Count::kCallsRetried},
      {{"ebb_calls_fenced_total", "", "Requests not sent because the lease was lost"},
       Count::kCallsFenced},
      {{"ebb_calls_withdrawn_total", "",
        "Requests not sent because they were not right any more when their turn came"},
       Count::kCallsWithdrawn},
      {{"ebb_events_dropped_total", "", "Events that were not told"}, Count::kEventsDropped},
      {{"ebb_lease_transitions_total", "", "Times this process took the lease"},
       Count::kLeaseTransitions},
      {{"ebb_lease_lost_total", "", "Times this process lost the lease"}, Count::kLeaseLost},
      {{"leader_election_slowpath_total", "name",
        "Total number of slow path exercised in renewing leader leases"},
       Count::kLeaseSlowPath},
  };
  return kNames;
}

const std::vector<GaugeName>& gauge_names() {
  static const std::vector<GaugeName> kNames = {
      {{"workqueue_depth", "name", "Current depth of workqueue"}, Gauge::kQueueDepth},
      {{"leader_election_master_status", "name",
        "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 "
        "indicates master"},
       Gauge::kLeaderStatus},
      {{"ebb_picker_questions_in_flight", "", "Questions to pickers that are under way"},
       Gauge::kQuestionsInFlight},
      {{"ebb_picker_questions_waiting", "",
        "Questions to pickers that wait for others to the same endpoint"},
       Gauge::kQuestionsWaiting},
      {{"ebb_picker_open_breakers", "", "Pickers that are not asked because they keep failing"},
       Gauge::kOpenBreakers},
      {{"workqueue_unfinished_work_seconds", "name",
        "How many seconds of work is in progress and has not been observed by work_duration"},
       Gauge::kUnfinishedWorkSeconds},
      {{"workqueue_longest_running_processor_seconds", "name",
        "How many seconds the longest running processor for workqueue has been running"},
       Gauge::kLongestWorkSeconds},
  };
  return kNames;
}

const std::vector<HistogramName>& histogram_names() {
  static const std::vector<HistogramName> kNames = {
      {{"workqueue_queue_duration_seconds", "name",
        "How long in seconds an item stays in workqueue before being requested"},
       Histogram::kQueueWaitSeconds,
       queue_bounds()},
      {{"workqueue_work_duration_seconds", "name",
        "How long in seconds processing an item from workqueue takes"},
       Histogram::kWorkSeconds,
       queue_bounds()},
      {{"rest_client_rate_limiter_duration_seconds", "",
        "Client side rate limiter latency in seconds"},
       Histogram::kRateLimiterSeconds,
       request_bounds()},
      {{"ebb_picker_duration_seconds", "outcome",
        "How long asking a picker took, waiting for a place and further attempts included"},
       Histogram::kPickerSeconds,
       request_bounds()},
      {{"replicaset_controller_sorting_deletion_age_ratio", "",
        "The ratio of chosen deleted pod's ages to the current youngest pod's age (at the time)"},
       Histogram::kDeletionAgeRatio,
       ratio_bounds()},
      {{"ebb_ranking_duration_seconds", "", "How long ranking the pods of a ReplicaSet takes"},
       Histogram::kRankingSeconds,
       queue_bounds()},
  };
  return kNames;
}

}  // namespace ebb::runtime
