// Decides whether a controller may act, by polling its canary (canary.h).
//
// It makes two guarantees (I10). A controller does not start to act before the canary, freshly
// armed, has been unacknowledged for `take_over_ns`. And no write starts more than five seconds
// after another controller acknowledged the canary: a write may start only within `clear_for_ns` of
// sending the last read that found it unacknowledged. Reads are consistent, and executed after they
// are sent, so permission expires in time whatever is lost, slow or silent. A watch could not
// guarantee that: a watch that lags looks exactly like one without events.
//
// Signs that tenants could forge (pods and statuses that this process did not write, canaries of
// other deployments) extend the wait by a bounded time, and never stop an acting controller.
//
// Only the leader writes the canary. Standbys read it, so that one that has seen it unacknowledged
// for long enough can take over without another wait.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/now.h"
#include "control/core/call.h"
#include "control/core/sole_controller.h"
#include "control/core/telemetry.h"
#include "control/guard/canary.h"

namespace ebb::control {

class CanaryGuard {
 public:
  // `arms_again` is off only in tests that prove the need for it; `telemetry` must outlive the
  // guard.
  CanaryGuard(GuardedKind guarded, SoleControllerOptions options, bool arms_again,
              Telemetry& telemetry);

  // The request to send now; to be called until it returns nothing.
  struct Wanted {
    std::uint64_t ticket = 0;
    model::ApiRequest request{};
    Nanoseconds deadline_ns = 0;
  };
  [[nodiscard]] std::optional<Wanted> take_wanted(Now now);
  void answered(std::uint64_t ticket, const Answer& answer, Now now);
  // When take_wanted() has a request next or the state may change; the zero time: after an answer.
  [[nodiscard]] Timestamp wake_at() const;
  // A read or write of the canary, sent at `sent`, has returned this state.
  void saw(const Canary& canary, Timestamp sent, Now now);

  // This process leads from now on, until it exits.
  void begin_leading(Now now);
  // An object was written that only a controller writes, and not by this process.
  void saw_foreign_write(Now now);
  // The lease of kube-controller-manager exists but is not renewed.
  void set_manager_stopped(bool stopped) { manager_stopped_ = stopped; }
  // Restarts the wait, because a kube-controller-manager has just started.
  void wait_anew(Now now);
  // There is another deployment of ebb with an older canary.
  void set_younger(bool younger) { younger_ = younger; }

  // When the wait ended; the zero time: it has not. Before take_over(), everything that the
  // controller decides on must be listed, so that it sees all that others did before.
  [[nodiscard]] Timestamp wait_over_at() const { return leads_ ? wait_over_at_ : Timestamp(); }
  void take_over(Now now);
  // Whether it has taken over, and no other controller has appeared since.
  [[nodiscard]] bool acting() const { return state_ == GuardState::kActing; }
  // Whether a write may start now.
  [[nodiscard]] bool may_write(Timestamp mono) const;

  // When may_write() becomes false unless another read succeeds; the zero time: it is not acting.
  [[nodiscard]] Timestamp permission_ends_at() const;

  // Deletes the canary if the options say so. Nothing may be written afterwards.
  void stop();
  [[nodiscard]] bool stopped() const { return stopping_ && write_ == 0 && !wants_deletion(); }

  [[nodiscard]] GuardedKind guarded() const { return guarded_; }
  [[nodiscard]] const SoleControllerOptions& options() const { return options_; }
  [[nodiscard]] const std::optional<Canary>& canary() const { return canary_; }
  [[nodiscard]] bool forbidden() const { return state_ == GuardState::kForbidden; }
  [[nodiscard]] GuardStatus status(Now now) const;
  // Reports what has changed since the last call.
  void report(Now now);

 private:
  enum class Purpose : std::uint8_t { kRead, kCreate, kArm, kDelete };
  [[nodiscard]] static std::string_view verb(Purpose purpose);  // of a Role
  struct InFlight {
    Purpose purpose = Purpose::kRead;
    Timestamp sent{};
  };

  [[nodiscard]] Wanted begin(Purpose purpose, model::ApiRequest request, Now now);
  [[nodiscard]] std::optional<Wanted> take_write(Now now);
  [[nodiscard]] bool wants_deletion() const;
  [[nodiscard]] Nanoseconds poll_period_ns() const;
  [[nodiscard]] Timestamp wait_ends_at() const;
  [[nodiscard]] bool is_cut_off(Timestamp mono) const;

  void read_answered(const Answer& answer, Timestamp sent, Now now);
  void write_answered(Purpose purpose, const Answer& answer, Timestamp sent, Now now);
  void meet(const Canary& canary, Now now);
  void acknowledged(Now now);
  void is_gone(Now now);
  void check_wait_over(Timestamp sent, Now now);
  // Arms the canary at `when`, and waits until a read shows that.
  void arm_from(Timestamp when);
  void refused(Purpose purpose, const Answer& answer, Now now);
  // A call with this purpose was not refused as forbidden.
  void permitted(Purpose purpose);
  void set_state(GuardState state, Now now);

  [[nodiscard]] std::string object_name() const;
  // The state as reported: a controller that cannot read its canary for long is not acting.
  [[nodiscard]] GuardState shown_state(Timestamp mono) const;
  [[nodiscard]] std::string reason(GuardState state, Now now) const;
  [[nodiscard]] std::string remedy(GuardState state) const;
  [[nodiscard]] std::string remedy_for_forbidden() const;

  GuardedKind guarded_;
  SoleControllerOptions options_;
  bool arms_again_;
  Telemetry& telemetry_;

  bool leads_ = false;
  bool stopping_ = false;
  bool manager_stopped_ = true;  // until it is known
  bool younger_ = false;

  // Calls.
  std::map<std::uint64_t, InFlight> in_flight_;
  std::uint64_t next_ticket_ = 1;
  std::uint64_t write_ = 0;  // the ticket of the write in flight; 0: none
  std::size_t reads_ = 0;    // in flight
  Timestamp read_at_;        // earliest time of the next read
  Timestamp write_at_;       // earliest time of the next write

  // The canary as last seen.
  std::optional<Canary> canary_;
  bool missing_ = false;        // a read found no canary
  Timestamp shown_sent_;        // when the last call was sent that returned it
  Timestamp clear_sent_;        // when the last call was sent that returned it armed
  Timestamp armed_since_;       // as far as this process has seen; the zero time: it is not armed
  bool must_arm_ = false;       // before the wait counts
  std::int64_t arm_above_ = 0;  // the new generation must be above this
  bool wants_probe_ = false;    // the same while acting
  Timestamp probe_not_before_;

  // The wait.
  Timestamp waits_since_;
  Timestamp foreign_write_at_;
  Timestamp wait_over_at_;

  // Permissions.
  struct Forbidden {
    Purpose purpose = Purpose::kRead;
    bool lacks_right = true;  // otherwise refused by a quota, a policy or a webhook
  };
  bool established_ = false;  // the canary existed and was armed once
  std::optional<Timestamp> read_refused_since_;
  std::optional<Timestamp> write_refused_since_;
  std::optional<Forbidden> forbidden_call_;  // the last one, until such a call is permitted
  std::string last_error_;

  GuardState state_ = GuardState::kProbing;
  Timestamp since_;            // on the wall clock
  Timestamp acknowledged_at_;  // on the wall clock
  std::optional<GuardState> reported_;
};

}  // namespace ebb::control
