// Leader election with a Lease, as a state machine on the monotonic clock.
//
// Two never act at once. Who holds the lease begins writes only until `renew_deadline` after its
// last renewal was sent, and a write is over kWriteDeadlineNs later; who waits for the lease takes
// it no sooner than `duration` after it saw the last renewal, which is after that was sent. So
// duration must not be less than the sum of the other two. No clock is compared with another.
//
// Who has lost the lease does not get it back: its process ends.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/now.h"
#include "base/result.h"
#include "control/call.h"
#include "control/jitter.h"
#include "control/lease.h"
#include "control/process.h"
#include "control/telemetry.h"

namespace ebb::control {

// Whether these settings keep the promise above. The error names the flags.
[[nodiscard]] Result<void> validate(const LeaseSettings& settings);

class Elector {
 public:
  // The settings must be valid; `telemetry` must outlive the elector.
  Elector(LeaseSettings settings, std::uint64_t seed, Telemetry& telemetry);

  // What to send at this moment, if anything: at most one call is under way.
  [[nodiscard]] std::optional<model::ApiRequest> take_wanted(Now now);
  void answered(const Answer& answer, Now now);
  // When take_wanted() has something next, or the lease is lost; the zero time: after an answer.
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] Nanoseconds call_deadline_ns() const { return settings_.renew_deadline_ns / 2; }

  [[nodiscard]] bool leads(Timestamp mono) const;
  // It led, and does not any more, for good.
  [[nodiscard]] bool lost(Timestamp mono) const;
  [[nodiscard]] const std::string& why_lost() const { return why_lost_; }

  // Gives the lease back, if it is held. Everything that was done under it must be over.
  void release();
  [[nodiscard]] bool released() const { return releasing_ && finished_; }

 private:
  enum class Step : std::uint8_t { kNone, kGet, kCreate, kReplace, kRelease };
  // A write of which nobody knows how it went; found again by the time it would have left.
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
  // Once for each holder.
  void tell_holder(const std::string& holder);
  void saw(Lease lease, Now now);
  void renewed(Timestamp sent, Now now);
  void look_again_later(Now now);
  void complain(std::string_view doing, const Answer& answer);

  LeaseSettings settings_;
  Telemetry& telemetry_;
  Jitter jitter_;

  Step step_ = Step::kNone;  // under way
  Timestamp sent_;           // it, on the monotonic clock
  LeaseRecord written_;      // what it would leave
  std::vector<Unresolved> unresolved_;

  // What is known of the lease: how it is now, and for how long its record has been seen so.
  std::optional<Lease> lease_;  // nothing: there is none
  LeaseRecord seen_;
  Timestamp seen_at_;
  bool must_look_ = true;  // before anything is decided

  Timestamp look_at_;   // not before
  Timestamp write_at_;  // likewise
  Timestamp held_since_;
  Timestamp last_time_;  // that was written: each write has a time of its own
  bool deposed_ = false;
  std::string told_holder_;
  std::string why_lost_ = "it could not be renewed in time";
  bool releasing_ = false;
  bool finished_ = false;
  int release_tries_ = 0;
};

}  // namespace ebb::control
