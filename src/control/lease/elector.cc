#include "control/lease/elector.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "control/core/object_json.h"
#include "model/api/requests.h"
#include "schema/core/kind.h"

namespace ebb::control {
namespace {

// As in client-go: between 2 and 4.4 seconds with a retry period of 2.
constexpr double kJitterFactor = 1.2;
constexpr int kMaxReleaseTries = 4;
constexpr std::size_t kMaxUnresolved = 16;
// Due time of a step that is due at once.
constexpr Timestamp kLongAgo = Timestamp::from_nanoseconds(std::numeric_limits<Nanoseconds>::min());

const schema::Kind& lease_kind() {
  static const schema::Kind* const kKind = schema::find_kind("coordination.k8s.io/v1", "Lease");
  EBB_CHECK(kKind != nullptr);
  return *kKind;
}

double seconds(Nanoseconds ns) {
  return static_cast<double>(ns) / static_cast<double>(kNanosecondsPerSecond);
}

// Leases store whole seconds, so this is the duration that other replicas see.
Nanoseconds whole_seconds(Nanoseconds ns) { return ns - ns % kNanosecondsPerSecond; }

ObjectName name_of(const LeaseSettings& settings) {
  return {settings.namespace_name, settings.name};
}

std::string path_of(const LeaseSettings& settings) {
  return model::object_path(lease_kind(),
                            {.namespace_name = settings.namespace_name, .name = settings.name});
}

}  // namespace

Result<void> validate(const LeaseSettings& settings) {
  if (settings.identity.empty() || settings.name.empty() || settings.namespace_name.empty()) {
    return fail(ErrorCode::kUsage,
                "a lease needs a holder, --leader-elect-resource-name and "
                "--leader-elect-resource-namespace");
  }
  if (settings.retry_period_ns <= 0) {
    return fail(ErrorCode::kUsage, "--leader-elect-retry-period: must be longer than 0");
  }
  const double longest_retry = seconds(settings.retry_period_ns) * kJitterFactor;
  if (seconds(settings.renew_deadline_ns) <= longest_retry) {
    return fail(ErrorCode::kUsage,
                fmt::format("--leader-elect-renew-deadline: must be longer than {} times "
                            "--leader-elect-retry-period, that is {:.3g}s, but is {}s",
                            kJitterFactor, longest_retry, seconds(settings.renew_deadline_ns)));
  }
  const Nanoseconds least = settings.renew_deadline_ns + kWriteDeadlineNs;
  if (whole_seconds(settings.duration_ns) < least) {
    return fail(ErrorCode::kUsage,
                fmt::format("--leader-elect-lease-duration: must be at least {}s, so that a write "
                            "(at most {}s) begun within --leader-elect-renew-deadline is over "
                            "before another may lead, but is {}s",
                            seconds(least), seconds(kWriteDeadlineNs),
                            seconds(whole_seconds(settings.duration_ns))));
  }
  return {};
}

Elector::Elector(LeaseSettings settings, std::uint64_t seed, Telemetry& telemetry)
    : settings_(std::move(settings)), telemetry_(telemetry), jitter_(seed) {
  EBB_CHECK(validate(settings_).has_value());
  telemetry_.set(Gauge::kLeaderStatus, settings_.name, 0);
}

Timestamp Elector::leads_until() const {
  return held_since_.is_zero() ? Timestamp{} : later_by(held_since_, settings_.renew_deadline_ns);
}

bool Elector::leads(Timestamp mono) const {
  return !deposed_ && !releasing_ && mono < leads_until();
}

bool Elector::lost(Timestamp mono) const {
  return !releasing_ && !held_since_.is_zero() && !leads(mono);
}

Timestamp Elector::wake_at() const {
  if (finished_ || deposed_) return {};
  const Timestamp end = releasing_ ? Timestamp{} : leads_until();
  if (step_ != Step::kNone) return end;
  const Timestamp due = must_read_ ? read_at_ : write_at_;
  return sooner(end, due.is_zero() ? kLongAgo : due);
}

std::optional<model::ApiRequest> Elector::take_wanted(Now now) {
  if (step_ != Step::kNone || finished_ || lost(now.mono)) return std::nullopt;
  return releasing_ ? give_back(now) : decide(now);
}

std::optional<model::ApiRequest> Elector::begin(Step step, model::ApiRequest request, Now now) {
  step_ = step;
  sent_ = now.mono;
  return request;
}

std::optional<model::ApiRequest> Elector::decide(Now now) {
  if (must_read_) {
    if (now.mono < read_at_) return std::nullopt;
    if (leads(now.mono)) telemetry_.count(Count::kLeaseSlowPath, settings_.name);
    return begin(Step::kGet, model::get_request(path_of(settings_)), now);
  }
  if (!is_ours() && !may_take(now.mono)) {
    retry_later(now);
    return std::nullopt;
  }
  if (now.mono < write_at_) return std::nullopt;
  return claim(now);
}

// Another replica's lease has expired once its record has not changed for its whole duration.
bool Elector::may_take(Timestamp mono) const {
  const bool somebodys = !seen_.holder.empty() && seen_.holder != settings_.identity;
  // A deleted lease still protects its last holder until it would have expired.
  if (lease_ ? lease_->record.holder.empty() : !somebodys) return true;
  const Nanoseconds duration =
      seen_.duration_ns > 0 ? seen_.duration_ns : whole_seconds(settings_.duration_ns);
  return mono >= later_by(seen_at_, duration);
}

void Elector::retry_later(Now now) {
  must_read_ = true;
  // Standbys spread their requests; the leader renews without jitter.
  const double factor = leads(now.mono) ? 0 : kJitterFactor;
  read_at_ = later_by(now.mono, jitter_.stretch_ns(settings_.retry_period_ns, factor));
}

LeaseRecord Elector::next_record(Now now) {
  Timestamp time = whole_microseconds(now.wall);
  if (!last_time_.is_zero()) time = std::max(time, later_by(last_time_, kMicrosecond));
  last_time_ = time;
  LeaseRecord record{.holder = settings_.identity,
                     .duration_ns = whole_seconds(settings_.duration_ns),
                     .acquired = time,
                     .renewed = time};
  if (!lease_) return record;
  record.transitions = lease_->record.transitions + (is_ours() ? 0 : 1);
  if (is_ours() && !lease_->record.acquired.is_zero()) record.acquired = lease_->record.acquired;
  return record;
}

std::optional<model::ApiRequest> Elector::claim(Now now) {
  written_ = next_record(now);
  if (lease_) {
    return begin(
        Step::kReplace,
        model::replace_request(path_of(settings_), with_record(lease_->document, written_)), now);
  }
  boost::json::object document{
      {"apiVersion", lease_kind().api_version()},
      {"kind", lease_kind().name},
      {"metadata", {{"name", settings_.name}, {"namespace", settings_.namespace_name}}}};
  return begin(Step::kCreate,
               model::create_request(model::collection_path(lease_kind(), settings_.namespace_name),
                                     with_record(std::move(document), written_)),
               now);
}

void Elector::answered(const Answer& answer, Now now) {
  const Step step = std::exchange(step_, Step::kNone);
  // An answer that arrives too late does not restore the lease.
  if (lost(now.mono)) {
    deposed_ = true;
    return;
  }
  switch (step) {
    case Step::kGet:
      return got(answer, now);
    case Step::kCreate:
    case Step::kReplace:
      return wrote(answer, now);
    case Step::kRelease:
      return gave_back(answer);
    case Step::kNone:
      break;
  }
  EBB_CHECK(false);  // unreachable: no request is in flight
}

void Elector::got(const Answer& answer, Now now) {
  if (answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 404) {
    lease_.reset();
    must_read_ = false;
    return;
  }
  std::optional<Lease> lease;
  if (answer.succeeded()) lease = parse_lease(answer.response.body);
  if (!lease) {
    complain("read", answer);
    if (releasing_) ++release_tries_;
    return retry_later(now);
  }
  saw(std::move(*lease), now);
  if (!is_ours()) {
    const std::string& holder = lease_->record.holder;
    if (!leads(now.mono)) log_holder(holder);
    if (leads(now.mono) && !holder.empty()) {
      deposed_ = true;
      why_lost_ = fmt::format("{} holds it", holder);
    }
    return;
  }
  // Of several writes with unknown outcome, this is the one that was carried out.
  const auto landed = std::find_if(
      unresolved_.begin(), unresolved_.end(),
      [this](const Unresolved& each) { return each.renewed == lease_->record.renewed; });
  if (landed == unresolved_.end()) return;
  const Timestamp sent = landed->sent;
  unresolved_.clear();
  renewed(sent, now);
}

void Elector::log_holder(const std::string& holder) {
  if (holder == logged_holder_) return;
  logged_holder_ = holder;
  if (holder.empty()) return;
  telemetry_.log(Severity::kInfo, 0,
                 fmt::format("lease {}/{} is held by {}; standing by", settings_.namespace_name,
                             settings_.name, holder),
                 {{"lease", name_of(settings_)}, {"holder", holder}});
}

void Elector::saw(Lease lease, Now now) {
  if (seen_at_.is_zero() || lease.record != seen_) {
    seen_ = lease.record;
    seen_at_ = now.mono;
  }
  lease_ = std::move(lease);
  must_read_ = false;
}

void Elector::wrote(const Answer& answer, Now now) {
  write_at_ = later_by(sent_, settings_.retry_period_ns);
  if (answer.succeeded()) {
    unresolved_.clear();  // they carry an older resourceVersion, so all of them fail
    if (std::optional<Lease> lease = parse_lease(answer.response.body)) {
      saw(std::move(*lease), now);
    } else {
      must_read_ = true;
    }
    return renewed(sent_, now);
  }
  if (answer.unknown()) {
    if (unresolved_.size() >= kMaxUnresolved) unresolved_.erase(unresolved_.begin());
    unresolved_.push_back({.renewed = written_.renewed, .sent = sent_});
  }
  const bool raced = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 409;
  if (!raced) complain("write", answer);
  must_read_ = true;
  read_at_ = {};
}

// The lease counts from when the renewal was sent: other replicas may count from that moment.
void Elector::renewed(Timestamp sent, Now now) {
  if (now.mono >= later_by(sent, settings_.renew_deadline_ns)) return;  // already expired
  const bool first = held_since_.is_zero();
  held_since_ = sent;
  if (!first || releasing_) return;
  telemetry_.count(Count::kLeaseTransitions);
  telemetry_.set(Gauge::kLeaderStatus, settings_.name, 1);
  telemetry_.log(Severity::kInfo, 0,
                 fmt::format("acquired lease {}/{} as {}", settings_.namespace_name, settings_.name,
                             settings_.identity),
                 {{"lease", name_of(settings_)}, {"identity", settings_.identity}});
}

void Elector::complain(std::string_view doing, const Answer& answer) {
  telemetry_.log(Severity::kWarning, 0,
                 fmt::format("cannot {} lease {}/{}: {}", doing, settings_.namespace_name,
                             settings_.name, error_text(answer)),
                 {{"lease", name_of(settings_)}, {"err", error_text(answer)}});
}

void Elector::release() {
  if (releasing_) return;
  releasing_ = true;
  telemetry_.set(Gauge::kLeaderStatus, settings_.name, 0);
  if (step_ != Step::kNone || !unresolved_.empty()) return;
  if (!is_ours()) finished_ = true;
}

std::optional<model::ApiRequest> Elector::give_back(Now now) {
  const bool unsure = must_read_ && (is_ours() || !unresolved_.empty());
  if (release_tries_ >= kMaxReleaseTries || (!unsure && !is_ours())) {
    finished_ = true;
    return std::nullopt;
  }
  if (unsure) return begin(Step::kGet, model::get_request(path_of(settings_)), now);
  LeaseRecord record = next_record(now);
  record.holder.clear();
  record.duration_ns = kNanosecondsPerSecond;
  record.acquired = record.renewed;
  return begin(Step::kRelease,
               model::replace_request(path_of(settings_), with_record(lease_->document, record)),
               now);
}

void Elector::gave_back(const Answer& answer) {
  ++release_tries_;
  finished_ = answer.succeeded();
  must_read_ = true;  // another client may have changed it meanwhile
  if (finished_) {
    telemetry_.log(Severity::kInfo, 0,
                   fmt::format("released lease {}/{}", settings_.namespace_name, settings_.name),
                   {{"lease", name_of(settings_)}});
  }
}

}  // namespace ebb::control
