#include "control/picker/picker_sessions.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "picker/prepared_request.h"

namespace ebb::control {
namespace {

using picker::Outcome;

// With less time left than this, no call is made: no answer could arrive in time.
constexpr Nanoseconds kMinNs = 10 * kMillisecond;
constexpr Nanoseconds kFirstBackoffNs = 50 * kMillisecond;
constexpr Nanoseconds kLongestBackoffNs = 2 * kNanosecondsPerSecond;

double seconds(Nanoseconds ns) {
  return static_cast<double>(ns) / static_cast<double>(kNanosecondsPerSecond);
}

// Whether a status means that the picker is failing, and not that it rejects this request: 5xx and
// 429 in HTTP, and their equivalents in gRPC.
bool is_failure_code(picker::Protocol protocol, int code) {
  if (protocol == picker::Protocol::kHttp) return code >= 500 || code == 429;
  // Unknown, deadline exceeded, resource exhausted, aborted, internal, unavailable, data loss.
  constexpr int kFailureCodes[] = {2, 4, 8, 10, 13, 14, 15};
  return std::find(std::begin(kFailureCodes), std::end(kFailureCodes), code) !=
         std::end(kFailureCodes);
}

// What the result of a session says about the picker. A session that never made a call says
// nothing: a busy API server or a full endpoint is not the picker's fault.
Breakers::CallResult call_result_of(const PickerResult& result, picker::Protocol protocol) {
  if (result.attempts == 0) return Breakers::CallResult::kNothing;
  switch (result.outcome) {
    case Outcome::kTimeout:
    case Outcome::kRefused:
    case Outcome::kTls:
    case Outcome::kOversize:
    case Outcome::kMalformed:
      return Breakers::CallResult::kFailed;
    case Outcome::kStatusCode:
      return is_failure_code(protocol, result.code) ? Breakers::CallResult::kFailed
                                                    : Breakers::CallResult::kAnswered;
    default:
      return Breakers::CallResult::kAnswered;
  }
}

}  // namespace

struct PickerSessions::Session {
  enum class Phase : std::uint8_t {
    kSecrets,  // Secrets are being fetched
    kWaiting,  // for a slot
    kAsking,
    kPausing,  // before the next attempt
    kOver,
  };

  PickerRequest request;
  std::string endpoint;
  Timestamp began{};
  Timestamp deadline{};
  Phase phase = Phase::kSecrets;
  std::set<std::string> secrets_to_fetch{};
  std::set<CallId> fetching{};
  std::map<std::string, SecretAnswer> secrets{};
  unsigned fetches_failed = 0;
  Credentials credentials{};
  std::optional<picker::CallId> call{};
  PickerResult result{};

  [[nodiscard]] Breakers::Who who() const { return {request.workload, endpoint}; }
  [[nodiscard]] Nanoseconds left_ns(Now now) const { return elapsed_ns(now.mono, deadline); }
  // Secrets are kept no longer than they are needed.
  void forget_secrets() {
    secrets.clear();
    credentials = {};
  }
};

PickerSessions::PickerSessions(CallSink& sink, Telemetry& telemetry, const PickerLimits& limits,
                               std::uint64_t seed)
    : sink_(sink),
      telemetry_(telemetry),
      limits_(limits),
      process_part_(seed),
      jitter_(seed),
      breakers_(telemetry) {}

PickerSessions::~PickerSessions() = default;

PickerSessions::State PickerSessions::state(const Key& set) const {
  const auto found = sessions_.find(set);
  if (found == sessions_.end()) return State::kNone;
  return found->second->phase == Session::Phase::kOver ? State::kOver : State::kInFlight;
}

std::optional<PickerResult> PickerSessions::begin(PickerRequest request, Now now) {
  EBB_CHECK(state(request.set) == State::kNone);
  auto made = std::make_unique<Session>(Session{.request = std::move(request), .endpoint = {}});
  Session& one = *made;
  one.endpoint = one.request.settings->endpoint();
  one.began = now.mono;
  one.deadline = later_by(now.mono, one.request.settings->timeout_ns);
  one.result.endpoint = one.endpoint;
  one.result.carrier = one.request.carrier;
  one.result.policy = one.request.policy;
  one.result.surplus = one.request.surplus;
  one.result.requested = one.request.requested;
  if (!breakers_.admits(one.who(), now)) {
    one.result.outcome = Outcome::kBreakerOpen;
    telemetry_.observe(Histogram::kPickerSeconds, to_string(Outcome::kBreakerOpen), 0);
    return std::move(one.result);
  }
  // Unique across processes too: a predecessor may have used the same decision number.
  const auto moment = static_cast<std::uint64_t>(now.wall.since_epoch_ns());
  one.result.idempotency_key =
      fmt::format("{}-{}-{:016x}", one.request.set_uid, ++begun_, process_part_ ^ moment);
  for (std::string& name : secrets_of(*one.request.settings)) {
    one.secrets_to_fetch.insert(std::move(name));
  }
  sessions_.emplace(one.request.set, std::move(made));
  schedule(one);
  if (one.secrets_to_fetch.empty()) {
    have_secrets(one, now);
  } else {
    fetch_secrets(one);
  }
  serve_queues(now);
  return std::nullopt;
}

void PickerSessions::schedule(const Session& one, Timestamp resume) {
  deadlines_.set(one.request.set, sooner(resume, one.deadline));
}

Nanoseconds PickerSessions::backoff_ns(unsigned failures) {
  const Nanoseconds base = std::min(kFirstBackoffNs << std::min(failures, 10U), kLongestBackoffNs);
  return jitter_.stretch_ns(base, 0.5);
}

void PickerSessions::fetch_secrets(Session& one) {
  for (const std::string& name : std::exchange(one.secrets_to_fetch, {})) {
    const CallId id =
        sink_.send(Call::Kind::kTenantRead, secret_request(one.request.set.namespace_name, name));
    fetches_.emplace(id, std::pair(one.request.set, name));
    one.fetching.insert(id);
    one.secrets[name].how = SecretAnswer::How::kFailed;  // until it is read
  }
}

void PickerSessions::answered(CallId id, const Answer& answer, Now now) {
  const auto found = fetches_.find(id);
  if (found == fetches_.end()) return;
  const auto [set, name] = std::move(found->second);
  fetches_.erase(found);
  Session& one = *sessions_.at(set);
  one.fetching.erase(id);
  take_secret(one, name, read_secret(answer), now);
  serve_queues(now);
}

void PickerSessions::take_secret(Session& one, const std::string& name, SecretAnswer secret,
                                 Now now) {
  if (secret.how == SecretAnswer::How::kFailed) {
    one.secrets_to_fetch.insert(name);
    return schedule(one, later_by(now.mono, backoff_ns(one.fetches_failed++)));
  }
  one.secrets[name] = std::move(secret);
  const bool all_there = std::none_of(
      one.secrets.begin(), one.secrets.end(),
      [](const auto& entry) { return entry.second.how == SecretAnswer::How::kFailed; });
  if (all_there) have_secrets(one, now);
}

void PickerSessions::have_secrets(Session& one, Now now) {
  auto credentials = gather_credentials(*one.request.settings, one.secrets);
  one.secrets.clear();
  if (!credentials) {
    one.result.problem = std::move(credentials.error().problem);
    return end(one, credentials.error().outcome, 0, now);
  }
  one.credentials = std::move(*credentials);
  wait_for_place(one);
}

void PickerSessions::wait_for_place(Session& one) {
  one.phase = Session::Phase::kWaiting;
  endpoints_[one.endpoint].queue.join(one.request.set.namespace_name, one.request.set);
  ++waiting_;
  to_serve_.insert(one.endpoint);
  schedule(one);
}

void PickerSessions::serve_queues(Now now) {
  while (!to_serve_.empty()) {
    const std::string name = std::move(to_serve_.extract(to_serve_.begin()).value());
    const auto found = endpoints_.find(name);
    if (found == endpoints_.end()) continue;
    Endpoint& endpoint = found->second;
    while (endpoint.asked < limits_.max_per_endpoint && !endpoint.queue.empty()) {
      --waiting_;
      ask(*sessions_.at(*endpoint.queue.next()), now);
    }
    if (endpoint.asked == 0 && endpoint.queue.empty()) endpoints_.erase(found);
  }
  update_gauges();
}

void PickerSessions::ask(Session& one, Now now) {
  const Nanoseconds left = one.left_ns(now);
  if (left < kMinNs) return end(one, Outcome::kTimeout, 0, now);
  one.phase = Session::Phase::kAsking;
  ++one.result.attempts;
  ++endpoints_[one.endpoint].asked;
  ++in_flight_;
  one.call = sink_.ask({.tenant = one.request.set.namespace_name,
                        .settings = one.request.settings,
                        .headers = one.credentials.headers,
                        .certificate_pem = one.credentials.certificate_pem,
                        .key_pem = one.credentials.key_pem,
                        .body = one.request.body,
                        .idempotency_key = one.result.idempotency_key,
                        .shadow = one.request.shadow,
                        .deadline_ns = left});
  calls_.emplace(*one.call, one.request.set);
}

void PickerSessions::leave_place(Session& one) {
  calls_.erase(*one.call);
  one.call.reset();
  --endpoints_.at(one.endpoint).asked;
  --in_flight_;
  to_serve_.insert(one.endpoint);
}

void PickerSessions::replied(picker::CallId id, const picker::Reply& reply, Now now) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  Session& one = *sessions_.at(found->second);
  leave_place(one);
  if (!reply.asked) --one.result.attempts;
  one.result.detail = reply.detail;
  // This problem comes from the settings and their Secrets only, never from the network.
  if (reply.outcome == Outcome::kBadSettings) one.result.problem = reply.detail;
  if (reply.asked) telemetry_.count(Count::kPickerAttempts, to_string(reply.outcome));
  if (!reply.detail.empty() && telemetry_.logs(2)) {
    telemetry_.log(
        Severity::kInfo, 2,
        fmt::format("picker {} of ReplicaSet {}/{}: {}: {}", one.endpoint,
                    one.request.set.namespace_name, one.request.set.name, to_string(reply.outcome),
                    reply.detail),
        {{"replicaSet", ObjectName{one.request.set.namespace_name, one.request.set.name}},
         {"picker", one.endpoint},
         {"outcome", to_string(reply.outcome)},
         {"code", reply.code},
         {"attempt", one.result.attempts},
         {"err", reply.detail}});
  }
  take_reply(one, reply, now);
  serve_queues(now);
}

void PickerSessions::take_reply(Session& one, const picker::Reply& reply, Now now) {
  if (reply.outcome == Outcome::kAnswered) return end_answered(one, reply.answer, now);
  const bool may_help = reply.outcome != Outcome::kEmpty && reply.repeatable &&
                        one.result.attempts <= one.request.settings->max_retries;
  if (!may_help) return end(one, reply.outcome, reply.code, now);
  const auto failures = static_cast<unsigned>(one.result.attempts - 1);
  const Nanoseconds pause = std::max(backoff_ns(failures), reply.retry_after_ns);
  if (pause > one.left_ns(now) - kMinNs) return end(one, reply.outcome, reply.code, now);
  one.phase = Session::Phase::kPausing;
  schedule(one, later_by(now.mono, pause));
}

void PickerSessions::run(Now now) {
  for (const Key& set : deadlines_.take_due(now.mono, deadlines_.size())) {
    time_has_come(*sessions_.at(set), now);
  }
  serve_queues(now);
}

void PickerSessions::time_has_come(Session& one, Now now) {
  if (now.mono >= one.deadline) {
    if (one.call) telemetry_.count(Count::kPickerAttempts, to_string(Outcome::kTimeout));
    call_off(one);
    return end(one, Outcome::kTimeout, 0, now);
  }
  if (one.phase == Session::Phase::kPausing) return wait_for_place(one);
  if (one.phase == Session::Phase::kSecrets) fetch_secrets(one);
  schedule(one);
}

Timestamp PickerSessions::wake_at() const {
  if (!over_.empty() || !to_serve_.empty()) return kRightAway;
  return deadlines_.next();
}

void PickerSessions::call_off(Session& one) {
  if (one.call) {
    sink_.withdraw(*one.call);
    leave_place(one);
  }
  if (one.phase == Session::Phase::kWaiting &&
      endpoints_.at(one.endpoint).queue.leave(one.request.set.namespace_name, one.request.set)) {
    --waiting_;
    to_serve_.insert(one.endpoint);
  }
  if (one.phase == Session::Phase::kSecrets) {
    for (const CallId id : std::exchange(one.fetching, {})) fetches_.erase(id);
  }
}

void PickerSessions::end(Session& one, Outcome outcome, int code, Now now) {
  if (one.phase == Session::Phase::kSecrets) call_off(one);
  one.phase = Session::Phase::kOver;
  one.forget_secrets();
  deadlines_.erase(one.request.set);
  PickerResult& result = one.result;
  result.outcome = outcome;
  result.code = outcome == Outcome::kStatusCode ? code : 0;
  result.duration_ns = elapsed_ns(one.began, now.mono);
  result.breaker =
      breakers_.record(one.who(), call_result_of(result, one.request.settings->protocol), now);
  telemetry_.observe(Histogram::kPickerSeconds, to_string(outcome), seconds(result.duration_ns));
  over_.push_back(one.request.set);
}

// Names are compared with the candidates in the request: a pod created since then is not one, and a
// pod deleted since then still is.
void PickerSessions::end_answered(Session& one, const picker::Answer& answer, Now now) {
  std::vector<std::string_view> names;
  names.reserve(one.request.names.size());
  for (std::size_t i = 0; i < one.request.names.size(); ++i) names.push_back(one.request.names[i]);
  const picker::Verdicts verdicts = picker::judge_names(names, answer);
  PickerResult& result = one.result;
  result.ignored = verdicts.ignored.size();
  for (std::size_t i = 0; i < verdicts.of_pods.size(); ++i) {
    const model::Verdict verdict = verdicts.of_pods[i];
    if (verdict == model::Verdict::kUnnamed) continue;
    ++(verdict == model::Verdict::kChosen ? result.chosen : result.tied);
    result.named.push_back({.uid = std::string(one.request.uids[i]), .verdict = verdict});
  }
  telemetry_.count(Count::kNamesIgnored, {}, static_cast<std::int64_t>(result.ignored));
  end(one, result.named.empty() ? Outcome::kEmpty : Outcome::kAnswered, 0, now);
}

PickerResult PickerSessions::take(const Key& set) {
  const auto found = sessions_.find(set);
  EBB_CHECK(found != sessions_.end() && found->second->phase == Session::Phase::kOver);
  PickerResult result = std::move(found->second->result);
  sessions_.erase(found);
  return result;
}

void PickerSessions::drop(const Key& set) {
  const auto found = sessions_.find(set);
  if (found == sessions_.end()) return;
  Session& one = *found->second;
  if (one.phase == Session::Phase::kOver) {
    if (one.result.attempts > 0) telemetry_.count(Count::kAnswersUnneeded);
  } else {
    call_off(one);
    breakers_.record(one.who(), Breakers::CallResult::kNothing, {.wall = {}, .mono = one.began});
  }
  deadlines_.erase(set);
  std::erase(over_, set);
  sessions_.erase(found);
  update_gauges();
}

void PickerSessions::drop_all() {
  while (!sessions_.empty()) drop(Key(sessions_.begin()->first));
  to_serve_.clear();
}

void PickerSessions::update_gauges() {
  telemetry_.set(Gauge::kPickerRequestsInFlight, {}, static_cast<double>(in_flight_));
  telemetry_.set(Gauge::kPickerRequestsWaiting, {}, static_cast<double>(waiting_));
}

}  // namespace ebb::control
