// Leader election with a Lease, as a state machine on the monotonic clock.
//
// Two replicas never act at the same time. The leader starts writes only within `renew_deadline` of
// sending its last successful renewal, and every write ends at most kWriteDeadlineNs later. A
// standby takes the lease no sooner than `duration` after it first saw the last renewal, which is
// after that renewal was sent. So `duration` must be at least `renew_deadline` plus
// kWriteDeadlineNs. Clocks of different machines are never compared.
//
// A replica that has lost the lease never regains it: its process exits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/now.h"
#include "base/result.h"
#include "control/controller/lease_settings.h"
#include "control/core/call.h"
#include "control/core/jitter.h"
#include "control/core/lease.h"
#include "control/core/telemetry.h"

namespace ebb::control {

// Whether these settings guarantee the above. The error names the flags.
[[nodiscard]] Result<void> validate(const LeaseSettings& settings);

class Elector {
 public:
  // The settings must be valid; `telemetry` must outlive the elector.
  Elector(LeaseSettings settings, std::uint64_t seed, Telemetry& telemetry);

  // The request to send now, if any. At most one is in flight.
  [[nodiscard]] std::optional<model::ApiRequest> take_wanted(Now now);
  void answered(const Answer& answer, Now now);
  // When take_wanted() has a request next or the lease expires; the zero time: after an answer.
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] Nanoseconds call_deadline_ns() const { return settings_.renew_deadline_ns / 2; }

  [[nodiscard]] bool leads(Timestamp mono) const;
  // It led once and never will again.
  [[nodiscard]] bool lost(Timestamp mono) const;
  [[nodiscard]] const std::string& why_lost() const { return why_lost_; }

  // Gives the lease back if it is held. Nothing may be in flight that was sent under it.
  void release();
  [[nodiscard]] bool released() const { return releasing_ && finished_; }

 private:
  enum class Step : std::uint8_t { kNone, kGet, kCreate, kReplace, kRelease };
  // A write of unknown outcome, recognised later by the renew time that it would have written.
  struct Unresolved {
    Timestamp renewed;
    Timestamp sent;
  };

  [[nodiscard]] std::optional<model::ApiRequest> begin(Step step, model::ApiRequest request,
                                                       Now now);
  [[nodiscard]] std::optional<model::ApiRequest> decide(Now now);
  [[nodiscard]] std::optional<model::ApiRequest> claim(Now now);
  [[nodiscard]] std::optional<model::ApiRequest> give_back(Now now);
  [[nodiscard]] bool may_take(Timestamp mono) const;
  [[nodiscard]] bool is_ours() const {
    return lease_ && lease_->record.holder == settings_.identity;
  }
  [[nodiscard]] Timestamp leads_until() const;
  [[nodiscard]] LeaseRecord next_record(Now now);

  void got(const Answer& answer, Now now);
  void wrote(const Answer& answer, Now now);
  void gave_back(const Answer& answer);
  // Logs each holder once.
  void log_holder(const std::string& holder);
  void saw(Lease lease, Now now);
  void renewed(Timestamp sent, Now now);
  void retry_later(Now now);
  void complain(std::string_view doing, const Answer& answer);

  LeaseSettings settings_;
  Telemetry& telemetry_;
  Jitter jitter_;

  Step step_ = Step::kNone;  // of the request in flight
  Timestamp sent_;           // when it was sent, on the monotonic clock
  LeaseRecord written_;      // the record that it writes
  std::vector<Unresolved> unresolved_;

  // The lease as last read, and since when its record has not changed.
  std::optional<Lease> lease_;  // nothing: it does not exist
  LeaseRecord seen_;
  Timestamp seen_at_;
  bool must_read_ = true;  // before anything is decided

  Timestamp read_at_;   // earliest time of the next read
  Timestamp write_at_;  // earliest time of the next write
  Timestamp held_since_;
  Timestamp last_time_;  // renew time of the last write; each write has a different one
  bool deposed_ = false;
  std::string logged_holder_;
  std::string why_lost_ = "it could not be renewed in time";
  bool releasing_ = false;
  bool finished_ = false;
  int release_tries_ = 0;
};

}  // namespace ebb::control
