#include "control/guard/canary_guard.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "control/core/json_document.h"
#include "control/core/object_json.h"
#include "model/api/requests.h"

namespace ebb::control {
namespace {

constexpr std::size_t kMaxReads = 4;
constexpr Nanoseconds kCallDeadlineNs = 5 * kNanosecondsPerSecond;
// A standby reads less often than the leader, by this factor.
constexpr Nanoseconds kStandbyPeriods = 5;
// How long a permission may be missing at the start, for roles that are just being created.
constexpr Nanoseconds kForbiddenAfterNs = 5 * kNanosecondsPerSecond;
// An acting controller that cannot read its canary for longer than this is reported.
constexpr Nanoseconds kCutOffAfterNs = 10 * kNanosecondsPerSecond;

std::int64_t seconds(Nanoseconds ns) { return ns / kNanosecondsPerSecond; }

bool was_answered(const Answer& answer, int code) {
  return answer.outcome == Answer::Outcome::kAnswered && answer.response.code == code;
}

}  // namespace

CanaryGuard::CanaryGuard(GuardedKind guarded, SoleControllerOptions options, bool arms_again,
                         Telemetry& telemetry)
    : guarded_(guarded),
      options_(std::move(options)),
      arms_again_(arms_again),
      telemetry_(telemetry) {}

CanaryGuard::Wanted CanaryGuard::begin(Purpose purpose, model::ApiRequest request, Now now) {
  const std::uint64_t ticket = next_ticket_++;
  in_flight_.emplace(ticket, InFlight{.purpose = purpose, .sent = now.mono});
  if (purpose == Purpose::kRead) {
    ++reads_;
  } else {
    write_ = ticket;
  }
  return {.ticket = ticket, .request = std::move(request), .deadline_ns = kCallDeadlineNs};
}

Nanoseconds CanaryGuard::poll_period_ns() const {
  return leads_ ? options_.poll_period_ns : kStandbyPeriods * options_.poll_period_ns;
}

std::optional<CanaryGuard::Wanted> CanaryGuard::take_wanted(Now now) {
  if (forbidden()) return std::nullopt;
  if (!stopping_ && reads_ < kMaxReads && now.mono >= read_at_) {
    read_at_ = later_by(now.mono, poll_period_ns());
    return begin(Purpose::kRead, get_canary(guarded_, options_), now);
  }
  return take_write(now);
}

bool CanaryGuard::wants_deletion() const {
  return stopping_ && options_.delete_on_stop && leads_ && canary_.has_value();
}

std::optional<CanaryGuard::Wanted> CanaryGuard::take_write(Now now) {
  if (write_ != 0) return std::nullopt;
  if (wants_deletion()) {
    return begin(Purpose::kDelete, delete_canary(guarded_, options_, *canary_), now);
  }
  if (stopping_ || !leads_ || now.mono < write_at_) return std::nullopt;
  if (missing_) return begin(Purpose::kCreate, create_canary(guarded_, options_), now);
  if (!canary_ || !arms_again_ || !(must_arm_ || wants_probe_)) return std::nullopt;
  return begin(Purpose::kArm, arm_canary(guarded_, options_, *canary_), now);
}

Timestamp CanaryGuard::wake_at() const {
  if (forbidden() || stopping_) return {};
  Timestamp wake;
  if (reads_ < kMaxReads) wake = read_at_.is_zero() ? Timestamp::from_nanoseconds(1) : read_at_;
  const bool writes = missing_ || (arms_again_ && (must_arm_ || wants_probe_));
  if (leads_ && write_ == 0 && writes && !write_at_.is_zero()) wake = sooner(wake, write_at_);
  return wake;
}

void CanaryGuard::answered(std::uint64_t ticket, const Answer& answer, Now now) {
  const auto found = in_flight_.find(ticket);
  EBB_CHECK(found != in_flight_.end());
  const InFlight call = found->second;
  in_flight_.erase(found);
  if (call.purpose != Purpose::kRead) {
    write_ = 0;
    return write_answered(call.purpose, answer, call.sent, now);
  }
  --reads_;
  read_answered(answer, call.sent, now);
}

void CanaryGuard::read_answered(const Answer& answer, Timestamp sent, Now now) {
  if (stopping_) return;
  if (was_answered(answer, 404)) {
    permitted(Purpose::kRead);
    // An answer from before the canary was created says nothing.
    if (sent > shown_sent_) is_gone(now);
    return;
  }
  const auto canary = answer.succeeded() ? read_canary(answer.response.body) : std::nullopt;
  if (!canary) return refused(Purpose::kRead, answer, now);
  permitted(Purpose::kRead);
  saw(*canary, sent, now);
}

void CanaryGuard::write_answered(Purpose purpose, const Answer& answer, Timestamp sent, Now now) {
  if (purpose == Purpose::kDelete) {
    canary_.reset();
    return;
  }
  // Even after a success: something in the cluster may undo the change.
  write_at_ = later_by(now.mono, options_.poll_period_ns);
  const auto canary = answer.succeeded() ? read_canary(answer.response.body) : std::nullopt;
  if (!canary) {
    // Another process was faster; the next read shows its canary.
    if (was_answered(answer, 409)) return;
    return refused(purpose, answer, now);
  }
  permitted(purpose);
  telemetry_.count(Count::kCanariesArmed, controller_name(guarded_));
  const bool is_new = !canary_ || canary_->uid != canary->uid;
  if (purpose == Purpose::kCreate && is_new) {
    meet(*canary, now);
    must_arm_ = false;  // it has just been created
  }
  saw(*canary, sent, now);
}

void CanaryGuard::refused(Purpose purpose, const Answer& answer, Now now) {
  last_error_ = error_text(answer);
  if (!was_answered(answer, 403)) return;
  const std::string message = read_refusal(answer).message;
  forbidden_call_ = {.purpose = purpose,
                     .lacks_right = message.empty() ||
                                    message.find(fmt::format(" cannot {} resource ",
                                                             verb(purpose))) != std::string::npos};
  auto& since = purpose == Purpose::kRead ? read_refused_since_ : write_refused_since_;
  if (!since) since = now.mono;
  // An API server that has just started may refuse what it grants a moment later.
  if (!established_ && elapsed_ns(*since, now.mono) >= kForbiddenAfterNs) {
    set_state(GuardState::kForbidden, now);
  }
}

void CanaryGuard::permitted(Purpose purpose) {
  (purpose == Purpose::kRead ? read_refused_since_ : write_refused_since_).reset();
  if (forbidden_call_ && forbidden_call_->purpose == purpose) forbidden_call_.reset();
}

std::string_view CanaryGuard::verb(Purpose purpose) {
  switch (purpose) {
    case Purpose::kRead:
      return "get";
    case Purpose::kCreate:
      return "create";
    case Purpose::kArm:
      return "patch";
    case Purpose::kDelete:
      break;
  }
  return "delete";
}

void CanaryGuard::is_gone(Now now) {
  if (acting()) set_state(GuardState::kProbing, now);
  canary_.reset();
  missing_ = true;
  must_arm_ = false;
  armed_since_ = wait_over_at_ = {};
}

void CanaryGuard::meet(const Canary& canary, Now now) {
  is_gone(now);  // if there was another one
  canary_ = canary;
  missing_ = false;
  clear_sent_ = {};
  if (leads_) arm_from(now.mono);
}

void CanaryGuard::arm_from(Timestamp when) {
  must_arm_ = true;
  arm_above_ = canary_->generation;
  write_at_ = std::max(write_at_, when);
  armed_since_ = wait_over_at_ = {};
}

void CanaryGuard::saw(const Canary& canary, Timestamp sent, Now now) {
  if (!canary_ || canary_->uid != canary.uid) meet(canary, now);
  shown_sent_ = std::max(shown_sent_, sent);
  if (canary.generation < canary_->generation) return;  // overtaken by a later answer
  const bool is_acknowledged = canary.observed > canary_->observed;
  const std::int64_t observed = std::max(canary.observed, canary_->observed);
  if (canary.generation > canary_->generation) wants_probe_ = false;
  canary_ = canary;
  canary_->observed = observed;
  if (must_arm_ && canary.generation > arm_above_) must_arm_ = false;
  if (is_acknowledged) acknowledged(now);
  if (must_arm_ || !canary_->armed()) return;
  last_error_.clear();
  established_ = established_ || leads_;
  if (armed_since_.is_zero()) armed_since_ = now.mono;
  clear_sent_ = std::max(clear_sent_, sent);
  check_wait_over(sent, now);
}

void CanaryGuard::acknowledged(Now now) {
  telemetry_.count(Count::kAcknowledgements, controller_name(guarded_));
  acknowledged_at_ = now.wall;
  armed_since_ = wait_over_at_ = {};
  set_state(GuardState::kBlocked, now);
  if (leads_) arm_from(later_by(now.mono, options_.probe_period_ns));
}

Timestamp CanaryGuard::wait_ends_at() const {
  const Timestamp begin = std::max(armed_since_, waits_since_);
  const Nanoseconds wait = manager_stopped_
                               ? std::max(options_.restart_wait_ns, options_.take_over_ns)
                               : options_.take_over_ns;
  const Timestamp quiet_end = later_by(std::max(begin, foreign_write_at_), wait);
  const Timestamp end = std::min(quiet_end, later_by(begin, wait + options_.max_extension_ns));
  return younger_ ? later_by(end, options_.younger_wait_ns) : end;
}

// The last read must have been sent after the end of the wait.
void CanaryGuard::check_wait_over(Timestamp sent, Now now) {
  if (!wait_over_at_.is_zero() || sent < wait_ends_at()) return;
  wait_over_at_ = now.mono;
  if (!leads_) set_state(GuardState::kProbing, now);
}

void CanaryGuard::begin_leading(Now now) {
  if (std::exchange(leads_, true)) return;
  read_at_ = now.mono;
  if (canary_ && wait_over_at_.is_zero()) arm_from(now.mono);
}

void CanaryGuard::saw_foreign_write(Now now) {
  telemetry_.count(Count::kForeignWrites, controller_name(guarded_));
  if (!acting()) {
    foreign_write_at_ = now.mono;
    return;
  }
  if (now.mono < probe_not_before_) return;
  probe_not_before_ = later_by(now.mono, options_.probe_period_ns);
  write_at_ = std::max(write_at_, now.mono);
  wants_probe_ = true;
}

void CanaryGuard::wait_anew(Now now) {
  waits_since_ = now.mono;
  if (!acting()) wait_over_at_ = {};
}

void CanaryGuard::take_over(Now now) {
  EBB_CHECK(!wait_over_at().is_zero());
  telemetry_.count(Count::kTakeOvers, controller_name(guarded_));
  wants_probe_ = false;
  set_state(GuardState::kActing, now);
}

Timestamp CanaryGuard::permission_ends_at() const {
  return acting() ? later_by(clear_sent_, options_.clear_for_ns) : Timestamp();
}

bool CanaryGuard::may_write(Timestamp mono) const {
  return acting() && mono < permission_ends_at();
}

bool CanaryGuard::is_cut_off(Timestamp mono) const {
  return acting() && mono >= later_by(clear_sent_, kCutOffAfterNs);
}

void CanaryGuard::stop() { stopping_ = true; }

void CanaryGuard::set_state(GuardState state, Now now) {
  if (state == state_ || forbidden()) return;
  state_ = state;
  since_ = now.wall;
}

GuardState CanaryGuard::shown_state(Timestamp mono) const {
  if (is_cut_off(mono)) return GuardState::kProbing;
  if (!leads_ && !wait_over_at_.is_zero()) return GuardState::kStandby;
  return state_;
}

GuardStatus CanaryGuard::status(Now now) const {
  GuardStatus status{
      .controller = controller_name(guarded_), .state = shown_state(now.mono), .since = since_};
  status.acting = status.state == GuardState::kActing;
  if (status.acting) return status;
  status.reason = reason(status.state, now);
  status.remedy = remedy(status.state);
  return status;
}

std::string CanaryGuard::object_name() const {
  return fmt::format("{} {}/{}", kind_of(guarded_).name, options_.namespace_name,
                     options_.canary_name);
}

std::string CanaryGuard::reason(GuardState state, Now now) const {
  switch (state) {
    case GuardState::kBlocked:
      return fmt::format("another controller of {} is acting: it acknowledged the canary {} at {}",
                         kind_of(guarded_).plural, object_name(),
                         model::time_text(acknowledged_at_));
    case GuardState::kForbidden:
      return fmt::format("cannot {} the canary {}: {}", verb(forbidden_call_->purpose),
                         object_name(), last_error_);
    case GuardState::kStandby:
      return "another replica leads; this one can take over without waiting";
    default:
      break;
  }
  if (armed_since_.is_zero() || is_cut_off(now.mono)) {
    return fmt::format("the canary {} cannot be read and armed{}{}", object_name(),
                       last_error_.empty() ? " yet" : ": ", last_error_);
  }
  if (!wait_over_at_.is_zero()) return "relisting everything before acting";
  const Nanoseconds left = std::max<Nanoseconds>(elapsed_ns(now.mono, wait_ends_at()), 0);
  return fmt::format("verifying that no other controller of {} is acting, {} s left{}",
                     kind_of(guarded_).plural, seconds(left),
                     manager_stopped_ ? "; the lease of kube-controller-manager is not renewed or "
                                        "cannot be read, so it may be restarting"
                                      : "");
}

std::string CanaryGuard::remedy(GuardState state) const {
  switch (state) {
    case GuardState::kBlocked:
      return fmt::format(
          "stop the other controller: start kube-controller-manager with --controllers=*,-{}, or "
          "remove the other deployment of ebb",
          controller_name(guarded_));
    case GuardState::kForbidden:
      return remedy_for_forbidden();
    case GuardState::kStandby:
      return "no action is needed";
    default:
      if (forbidden_call_) return remedy_for_forbidden();
      return "wait, or start ebb with --assume-sole-controller if no other controller runs";
  }
}

std::string CanaryGuard::remedy_for_forbidden() const {
  constexpr std::string_view kOtherwise =
      "or start ebb with --assume-sole-controller if no other controller runs";
  const auto [purpose, lacks_right] = *forbidden_call_;
  if (!lacks_right) {
    return fmt::format("allow ebb to {} {}; a quota, a policy or a webhook refuses that, {}",
                       verb(purpose), object_name(), kOtherwise);
  }
  // RBAC cannot limit create to a name.
  const std::string name =
      purpose == Purpose::kCreate ? "" : fmt::format(" named {}", options_.canary_name);
  return fmt::format(
      "grant ebb the verb {} on {}.apps{} in namespace {} (it needs get, create and patch; "
      "deploy/controller.yaml has a Role), {}",
      verb(purpose), kind_of(guarded_).plural, name, options_.namespace_name, kOtherwise);
}

void CanaryGuard::report(Now now) {
  const GuardState shown = shown_state(now.mono);
  if (reported_ == shown) return;
  reported_ = shown;
  telemetry_.set(Gauge::kActing, controller_name(guarded_), shown == GuardState::kActing ? 1 : 0);
  telemetry_.guard_changed(status(now));
}

}  // namespace ebb::control
