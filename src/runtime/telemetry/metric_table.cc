#include "runtime/telemetry/metric_table.h"

namespace ebb::runtime {
namespace {

using control::Count;
using control::Gauge;
using control::Histogram;

// The buckets of Kubernetes' work queues: 10 ns to 1000 s.
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
      {{"ebb_decisions_total", "", "Scale-down decisions, one per round"}, Count::kDecisions},
      {{"ebb_victims_total", "rule", "Pods chosen as victims, by the rule that decided"},
       Count::kVictims},
      {{"ebb_fallbacks_total", "cause", "Decisions that fell back to the default order, by cause"},
       Count::kFallbacks},
      {{"ebb_rank_waits_total", "", "Scale-downs that waited for the ranks of their pods"},
       Count::kRankWaits},
      {{"ebb_picker_consultations_total", "outcome",
        "Decisions of workloads with a picker, by the outcome of the picker call"},
       Count::kConsultations},
      {{"ebb_picker_attempts_total", "outcome", "Requests sent to pickers, by outcome"},
       Count::kPickerAttempts},
      {{"ebb_picker_names_ignored_total", "", "Names in picker answers that were not candidates"},
       Count::kNamesIgnored},
      {{"ebb_picker_answers_unneeded_total", "",
        "Picker answers that arrived when nothing was left to decide"},
       Count::kAnswersUnneeded},
      {{"ebb_picker_breakers_opened_total", "",
        "Times a breaker opened because a workload's picker kept failing"},
       Count::kBreakersOpened},
      {{"ebb_picker_breakers_half_opened_total", "",
        "Times an open breaker let one trial request through to its picker"},
       Count::kBreakersHalfOpened},
      {{"ebb_picker_breakers_closed_total", "",
        "Times a breaker closed because its picker answered again"},
       Count::kBreakersClosed},
      {{"ebb_shadow_decisions_total", "",
        "Scale-downs of other controllers that were compared with ebb's choice"},
       Count::kShadowDecisions},
      {{"ebb_shadow_victims_total", "result",
        "Pods that went in these scale-downs: agreed if ebb would have removed them too, or other"},
       Count::kShadowVictims},
      {{"ebb_rankings_total", "", "Times the pods of a ReplicaSet were ranked"}, Count::kRankings},
      {{"ebb_rank_writes_total", "carrier", "Writes of ranks, by carrier"}, Count::kRankWrites},
      {{"ebb_cost_contests_total", "",
        "Times the ranker paused because another program kept changing ranks on pods"},
       Count::kCostContests},
      {{"ebb_decision_objects_total", "result",
        "Decisions to be recorded as DownscaleDecision objects, by result: written, dropped, "
        "refused, failed or unavailable"},
       Count::kDecisionObjects},
      {{"ebb_decision_objects_deleted_total", "limit",
        "DownscaleDecision objects deleted, by the limit that was exceeded"},
       Count::kDecisionObjectsDeleted},
      {{"ebb_webhook_reviews_total", "outcome", "Admission reviews answered, by outcome"},
       Count::kReviews},
      {{"ebb_webhook_decisions_total", "outcome",
        "Scale-downs that the webhook decided, by how much of its choice was written"},
       Count::kWebhookDecisions},
      {{"ebb_webhook_fence_total", "result",
        "Pod deletes reviewed by the fence: refused, or why they were allowed"},
       Count::kFencedDeletes},
      {{"ebb_webhook_victims_total", "result",
        "Pods that went after a decision of the webhook: as_chosen, or other"},
       Count::kWebhookVictims},
      {{"ebb_webhook_costs_restored_total", "",
        "Deletion costs that the webhook put back to the value before its own"},
       Count::kCostsRestored},
      {{"replicaset_controller_stale_sync_skips_total", "resource",
        "Total number of ReplicaSet syncs skipped due to a stale cache"},
       Count::kStaleSyncSkips},
      {{"ebb_expectations_expired_total", "",
        "Pod creates and deletes that the watch did not confirm in time"},
       Count::kExpectationsExpired},
      {{"ebb_pod_lists_confirming_creates_total", "",
        "Live lists of pods that resolved pod creates of unknown outcome"},
       Count::kPodsConfirmed},
      {{"ebb_pod_creates_unknown_total", "", "Pod creates of unknown outcome"},
       Count::kCreatesUnknown},
      {{"ebb_pod_deletes_repeated_total", "",
        "Pod deletes that were repeated because their outcome was unknown"},
       Count::kDeletesRepeated},
      {{"ebb_pod_deletes_refused_total", "", "Pod deletes that the API server refused"},
       Count::kDeletesRefused},
      {{"ebb_pod_deletes_missed_total", "", "Pod deletes of pods that were already gone"},
       Count::kDeletesMissed},
      {{"ebb_pod_creates_refused_total", "", "Pod creates that the API server refused"},
       Count::kCreatesRefused},
      {{"ebb_adoptions_total", "", "Objects adopted"}, Count::kAdoptions},
      {{"ebb_releases_total", "", "Objects released"}, Count::kReleases},
      {{"ebb_adoptions_refused_total", "",
        "Adoptions abandoned because a live read of the owner ruled them out"},
       Count::kAdoptionsRefused},
      {{"ebb_status_conflicts_total", "",
        "Status writes repeated after a conflict and a fresh read"},
       Count::kStatusConflicts},
      {{"ebb_deployment_stale_sync_skips_total", "",
        "Deployment syncs postponed because the cache lacked the controller's own writes"},
       Count::kDeploymentStaleSyncSkips},
      {{"ebb_hash_collisions_total", "", "Names for new ReplicaSets that were already taken"},
       Count::kHashCollisions},
      {{"ebb_rollbacks_total", "", "Deployments rolled back"}, Count::kRollbacks},
      {{"ebb_lists_total", "resource", "Lists started"}, Count::kLists},
      {{"ebb_relists_total", "resource", "Lists started because a watch could not be resumed"},
       Count::kRelists},
      {{"ebb_watches_total", "resource", "Watches started"}, Count::kWatches},
      {{"ebb_unreadable_objects_total", "resource",
        "Objects received with a part that could not be decoded"},
       Count::kUnreadable},
      {{"ebb_watch_errors_total", "resource", "Watches that ended with an error"},
       Count::kWatchErrors},
      {{"ebb_streaming_lists_refused_total", "resource",
        "Streaming lists that the API server does not support"},
       Count::kStreamingListRefused},
      {{"rest_client_request_retries_total", "", "Number of request retries"},
       Count::kCallsRetried},
      {{"ebb_calls_fenced_total", "", "Requests not sent because the lease was lost"},
       Count::kCallsFenced},
      {{"ebb_calls_withdrawn_total", "",
        "Queued requests withdrawn because they were outdated when their turn came"},
       Count::kCallsWithdrawn},
      {{"ebb_events_dropped_total", "", "Events that were dropped instead of recorded"},
       Count::kEventsDropped},
      {{"ebb_take_overs_total", "controller",
        "Times a controller began to act because it found no other controller"},
       Count::kTakeOvers},
      {{"ebb_canary_acknowledgements_total", "controller",
        "Times another controller acknowledged the canary"},
       Count::kAcknowledgements},
      {{"ebb_canary_armed_total", "controller", "Times the canary was armed"},
       Count::kCanariesArmed},
      {{"ebb_foreign_writes_total", "controller",
        "Writes to pods and statuses that reveal another controller"},
       Count::kForeignWrites},
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
      {{"ebb_picker_questions_in_flight", "", "Picker requests in flight"},
       Gauge::kPickerRequestsInFlight},
      {{"ebb_picker_questions_waiting", "",
        "Picker requests waiting for others to the same endpoint"},
       Gauge::kPickerRequestsWaiting},
      {{"ebb_picker_open_breakers", "",
        "Open breakers: pickers that are not called because they keep failing"},
       Gauge::kOpenBreakers},
      {{"ebb_controller_acting", "controller",
        "1 while the controller acts, 0 while it waits to be the only controller"},
       Gauge::kActing},
      {{"ebb_decision_objects", "", "DownscaleDecision objects in the cluster"},
       Gauge::kDecisionObjects},
      {{"ebb_decision_objects_available", "",
        "1 if DownscaleDecision objects can be written, 0 if the API server does not have the kind "
        "or does not let ebb list it"},
       Gauge::kDecisionObjectsAvailable},
      {{"ebb_webhook_held", "", "Admission reviews that are not answered yet"},
       Gauge::kOpenReviews},
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
        "Duration of picker calls in seconds, including waiting and retries"},
       Histogram::kPickerSeconds,
       request_bounds()},
      {{"replicaset_controller_sorting_deletion_age_ratio", "",
        "The ratio of chosen deleted pod's ages to the current youngest pod's age (at the time)"},
       Histogram::kDeletionAgeRatio,
       ratio_bounds()},
      {{"ebb_ranking_duration_seconds", "",
        "How long in seconds ranking the pods of a ReplicaSet takes"},
       Histogram::kRankingSeconds,
       queue_bounds()},
      {{"ebb_webhook_seconds", "", "Time from an admission review to its answer in seconds"},
       Histogram::kReviewSeconds,
       request_bounds()},
  };
  return kNames;
}

}  // namespace ebb::runtime
