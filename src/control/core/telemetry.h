// The telemetry of a controller process: log lines, counts, decisions.
//
// It is output only, like the calls: nothing here changes what the process does. The real runtime
// turns it into logs and metrics; the simulated world counts, so that a test can see whether a rare
// branch was reached.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/now.h"
#include "control/core/log_field.h"

namespace ebb::control {

struct Decision;      // decision.h
struct LateOutcomes;  // late_outcomes.h
struct GuardStatus;   // sole_controller.h

// Everything that is counted; `label` in count() is the value of the only label, if there is one.
enum class Count : std::uint8_t {
  // Work queues; label: name of the queue.
  kQueueAdds,
  kQueueRetries,
  // Scale-down decisions.
  kDecisions,
  kVictims,          // label: the deciding rule
  kShadowDecisions,  // scale-downs of other controllers that were compared with ebb's choice
  kShadowVictims,    // pods that went in these; label: `agreed` or `other`
  kFallbacks,        // decisions that fell back to the default order; label: the cause
  kRankWaits,        // times that a scale-down waited for ranks
  // Pickers.
  kConsultations,    // rounds for which a picker is configured; label: picker::Outcome
  kPickerAttempts,   // calls sent; label: the outcome of each
  kNamesIgnored,     // names in answers that are not candidates
  kAnswersUnneeded,  // arrived when nothing was left to decide
  kBreakersOpened,
  kBreakersHalfOpened,  // one call is let through as a probe
  kBreakersClosed,
  // The ranker.
  kRankings,      // of a group
  kRankWrites,    // label: the carrier, or `withdrawn`
  kCostContests,  // pauses because another program kept changing ranks on pods
  // DownscaleDecision objects.
  kDecisionObjects,         // records of decisions; label: `written`, or why not
  kDecisionObjectsDeleted,  // label: the limit that was exceeded
  // The webhook.
  kReviews,           // answered; label: why it was answered so
  kWebhookDecisions,  // label: how much of the choice took effect
  kFencedDeletes,     // deletes by stock controllers; label: FenceVerdict
  kWebhookVictims,    // pods that went after a decision; label: `as_chosen` or `other`
  kCostsRestored,     // deletion costs that were put back
  // Rare branches of the ReplicaSet controller.
  kStaleSyncSkips,  // label: the resource whose cache was behind
  kExpectationsExpired,
  kPodsConfirmed,  // live lists that settled creations of unknown outcome
  kCreatesUnknown,
  kDeletesRepeated,  // sent again because their outcome is unknown
  kDeletesRefused,   // another pod may be chosen
  kDeletesMissed,    // 404, or 409 because of the uid precondition
  kCreatesRefused,
  kAdoptions,
  kReleases,
  kAdoptionsRefused,  // the live read of the owner forbids it
  kStatusConflicts,   // writes repeated after a fresh read
  // Rare branches of the Deployment controller.
  kDeploymentStaleSyncSkips,  // its own writes are not visible yet
  kHashCollisions,
  kRollbacks,
  // List and watch; label: the resource.
  kLists,
  kRelists,  // after a 410 or another loss of the watch position
  kWatches,
  kWatchErrors,
  kStreamingListRefused,
  kUnreadable,  // objects with a part that could not be decoded
  // Calls.
  kCallsRetried,    // after a Retry-After
  kCallsFenced,     // not sent, because the lease was lost
  kCallsWithdrawn,  // not sent, because they were outdated when their turn came
  kEventsDropped,
  // The guard against a second controller; label: the guarded controller.
  kTakeOvers,         // started to act
  kAcknowledgements,  // of a canary, by another controller
  kCanariesArmed,
  kForeignWrites,  // signs of another controller, which may be forged
  // The lease.
  kLeaseTransitions,
  kLeaseLost,
  kLeaseSlowPath,  // read before it was renewed; label: its name
};

// Values that go up and down; label: the queue, or the lease's name.
enum class Gauge : std::uint8_t {
  kQueueDepth,
  kLeaderStatus,
  kPickerRequestsInFlight,    // picker calls; no label
  kPickerRequestsWaiting,     // picker calls that wait for a slot; no label
  kOpenBreakers,              // no label
  kActing,                    // 1 while a guarded controller acts; label: its name
  kDecisionObjects,           // DownscaleDecisions in the cache; no label
  kDecisionObjectsAvailable,  // 1 if they can be written; no label
  kOpenReviews,               // not answered yet; no label
  kUnfinishedWorkSeconds,
  kLongestWorkSeconds
};

// Durations and ratios; label: the queue.
enum class Histogram : std::uint8_t {
  kQueueWaitSeconds,
  kWorkSeconds,
  kRateLimiterSeconds,  // no label
  kPickerSeconds,       // a session, from the request to its end; label: picker::Outcome
  kDeletionAgeRatio,    // R-2185-07; no label
  kRankingSeconds,      // of a group; no label
  kReviewSeconds,       // from a review to its answer; no label
};

enum class Severity : std::uint8_t { kError, kWarning, kInfo };

class Telemetry {
 public:
  virtual ~Telemetry() = default;

  // `verbosity` as in -v: 0 is always logged. Neither texts nor fields contain secrets.
  void log(Severity severity, int verbosity, std::string_view text,
           std::initializer_list<Field> fields = {}) {
    logged(severity, verbosity, text, {fields.begin(), fields.size()});
  }
  virtual void logged(Severity /*severity*/, int /*verbosity*/, std::string_view /*text*/,
                      std::span<const Field> /*fields*/) {}
  // Whether texts of this verbosity are logged; if not, they need not be formatted.
  [[nodiscard]] virtual bool logs(int /*verbosity*/) const { return false; }
  virtual void count(Count /*what*/, std::string_view /*label*/ = {}, std::int64_t /*by*/ = 1) {}
  virtual void set(Gauge /*what*/, std::string_view /*label*/, double /*value*/) {}
  virtual void observe(Histogram /*what*/, std::string_view /*label*/, double /*value*/) {}
  // The current monotonic time, for measurements only. A step of the process has a single time,
  // `now`, however long it takes.
  [[nodiscard]] virtual Timestamp moment(Timestamp now) const { return now; }
  // A round of a scale-down is over: every delete was answered, or will be repeated.
  virtual void decided(const Decision& /*decision*/) {}
  // The outcomes of the deletes that had to be repeated.
  virtual void settled(const LateOutcomes& /*late_outcomes*/) {}
  // The guard of a controller changed its state, or the reason for it.
  virtual void guard_changed(const GuardStatus& /*status*/) {}
};

}  // namespace ebb::control
