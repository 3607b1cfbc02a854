// What a controller process tells about itself: log lines, counts, decisions.
//
// Part of its output, like its calls: nothing here changes what it does. The real runtime makes
// log lines and metrics of it; the simulated world counts, so that a test can see whether a
// rare branch was reached.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "base/now.h"
#include "control/log_field.h"

namespace ebb::control {

struct Decision;    // decision.h
struct Settlement;  // settlement.h

// Everything that is counted; `label` in count() is the value of the one label it may have.
enum class Count : std::uint8_t {
  // The work queues; label: its name.
  kQueueAdds,
  kQueueRetries,
  // Decisions about scale-downs.
  kDecisions,
  kVictims,    // label: the deciding rule
  kFallbacks,  // label: why something that should have been asked was not heeded
  kRankWaits,  // times that nothing went because ranks are worth waiting for
  // Pickers.
  kConsultations,    // rounds for which a picker is configured; label: picker::Outcome
  kPickerAttempts,   // questions sent; label: how each went
  kNamesIgnored,     // names in answers that are no candidates
  kAnswersUnneeded,  // came when nothing was left to decide
  kBreakersOpened,
  kBreakersHalfOpened,  // one question is let through to see
  kBreakersClosed,
  // The ranker.
  kRankings,    // of a group
  kRankWrites,  // label: the carrier, or `withdrawn`
  // The ReplicaSet controller's rare ways.
  kStaleSyncSkips,  // label: the resource whose cache was behind
  kExpectationsExpired,
  kPodsConfirmed,  // live lists that settled creations of unknown outcome
  kCreatesUnknown,
  kDeletesRepeated,  // deletes sent again because nobody knows how they went
  kDeletesRefused,   // freed for another choice
  kDeletesMissed,    // 404, or 409 of the uid precondition
  kCreatesRefused,
  kAdoptions,
  kReleases,
  kAdoptionsRefused,  // the live look at the owner said no
  kStatusConflicts,   // writes repeated after a fresh read
  // The Deployment controller's.
  kDeploymentStaleSyncSkips,  // its own writes do not show yet
  kHashCollisions,
  kRollbacks,
  // List and watch; label: the resource.
  kLists,
  kRelists,  // after a 410 or another loss of place
  kWatches,
  kWatchErrors,
  kStreamingListRefused,
  // Calls.
  kCallsRetried,    // after a Retry-After
  kCallsFenced,     // not sent, because the lease was lost
  kCallsWithdrawn,  // not sent, because they were not right any more when their turn came
  kEventsDropped,
  // The lease.
  kLeaseTransitions,
  kLeaseLost,
  kLeaseSlowPath,  // looked at before it was renewed; label: its name
};

// Values that go up and down; label: the queue, or the lease's name.
enum class Gauge : std::uint8_t {
  kQueueDepth,
  kLeaderStatus,
  kQuestionsInFlight,  // to pickers; no label
  kQuestionsWaiting,   // for a place; no label
  kOpenBreakers,       // no label
  kUnfinishedWorkSeconds,
  kLongestWorkSeconds
};

// Durations and ratios; label: the queue.
enum class Histogram : std::uint8_t {
  kQueueWaitSeconds,
  kWorkSeconds,
  kRateLimiterSeconds,  // no label
  kPickerSeconds,       // a consultation, from the wish to its end; label: picker::Outcome
  kDeletionAgeRatio,    // A7.12; no label
  kRankingSeconds,      // of a group; no label
};

enum class Severity : std::uint8_t { kError, kWarning, kInfo };

class Telemetry {
 public:
  virtual ~Telemetry() = default;

  // `verbosity` as in -v: 0 is always told. Neither texts nor fields contain secrets.
  void log(Severity severity, int verbosity, std::string_view text,
           std::initializer_list<Field> fields = {}) {
    logged(severity, verbosity, text, {fields.begin(), fields.size()});
  }
  virtual void logged(Severity /*severity*/, int /*verbosity*/, std::string_view /*text*/,
                      std::span<const Field> /*fields*/) {}
  // Whether a text of this verbosity is worth making.
  [[nodiscard]] virtual bool logs(int /*verbosity*/) const { return false; }
  virtual void count(Count /*what*/, std::string_view /*label*/ = {}, std::int64_t /*by*/ = 1) {}
  virtual void set(Gauge /*what*/, std::string_view /*label*/, double /*value*/) {}
  virtual void observe(Histogram /*what*/, std::string_view /*label*/, double /*value*/) {}
  // The monotonic clock at this very moment, to measure by and for nothing else. A step of the
  // process has one time, `now`, however long it takes.
  [[nodiscard]] virtual Timestamp moment(Timestamp now) const { return now; }
  // A round of a scale-down is over: every delete was answered, or will be repeated.
  virtual void decided(const Decision& /*decision*/) {}
  // What became of those that had to be repeated.
  virtual void settled(const Settlement& /*settlement*/) {}
};

}  // namespace ebb::control
