#include "control/picker_desk.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/check.h"
#include "picker/consultation.h"

namespace ebb::control {
namespace {

using picker::Outcome;

constexpr Nanoseconds kMillisecond = 1'000'000;
// With less than this left, nobody is asked: no answer can come in time.
constexpr Nanoseconds kLeastNs = 10 * kMillisecond;
constexpr Nanoseconds kFirstBackoffNs = 50 * kMillisecond;
constexpr Nanoseconds kLongestBackoffNs = 2 * kNanosecondsPerSecond;

constexpr Timestamp kRightAway =
    Timestamp::from_nanoseconds(std::numeric_limits<Nanoseconds>::min() + 1);

double seconds(Nanoseconds ns) {
  return static_cast<double>(ns) / static_cast<double>(kNanosecondsPerSecond);
}

// Whether a status means that the picker is in trouble, rather than that it does not want to
// answer this question: 5xx and 429 of HTTP, and what corresponds to them in gRPC.
bool is_trouble(picker::Protocol protocol, int code) {
  if (protocol == picker::Protocol::kHttp) return code >= 500 || code == 429;
  // Unknown, deadline exceeded, resource exhausted, aborted, internal, unavailable, data loss.
  constexpr int kTroubles[] = {2, 4, 8, 10, 13, 14, 15};
  return std::find(std::begin(kTroubles), std::end(kTroubles), code) != std::end(kTroubles);
}

// What a consultation that ended so says about the picker. One that never got to ask says nothing:
// a busy API server or others' questions are not its fault.
Breakers::News news_of(const PickerEnding& ending, picker::Protocol protocol) {
  if (ending.attempts == 0) return Breakers::News::kNothing;
  switch (ending.outcome) {
    case Outcome::kTimeout:
    case Outcome::kRefused:
    case Outcome::kTls:
    case Outcome::kOversize:
    case Outcome::kMalformed:
      return Breakers::News::kFailed;
    case Outcome::kStatusCode:
      return is_trouble(protocol, ending.code) ? Breakers::News::kFailed
                                               : Breakers::News::kAnswered;
    default:
      return Breakers::News::kAnswered;
  }
}

}  // namespace

struct PickerDesk::Consultation {
  enum class Phase : std::uint8_t {
    kSecrets,  // are being fetched
    kWaiting,  // for a place
    kAsking,
    kPausing,  // before the next attempt
    kOver,
  };

  PickerWish wish;
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
  PickerEnding ending{};

  [[nodiscard]] Breakers::Who who() const { return {wish.workload_uid, endpoint}; }
  [[nodiscard]] Nanoseconds left_ns(Now now) const { return elapsed_ns(now.mono, deadline); }
  // Secrets stay no longer than they are needed.
  void forget_secrets() {
    secrets.clear();
    credentials = {};
  }
};

PickerDesk::PickerDesk(Port& port, Telemetry& telemetry, const PickerLimits& limits,
                       std::uint64_t seed)
    : port_(port),
      telemetry_(telemetry),
      limits_(limits),
      process_part_(seed),
      jitter_(seed),
      breakers_(telemetry) {}

PickerDesk::~PickerDesk() = default;

PickerDesk::State PickerDesk::state(const Key& set) const {
  const auto found = consultations_.find(set);
  if (found == consultations_.end()) return State::kNone;
  return found->second->phase == Consultation::Phase::kOver ? State::kOver : State::kUnderWay;
}

std::optional<PickerEnding> PickerDesk::begin(PickerWish wish, Now now) {
  EBB_CHECK(state(wish.set) == State::kNone);
  auto made = std::make_unique<Consultation>(Consultation{.wish = std::move(wish), .endpoint = {}});
  Consultation& one = *made;
  one.endpoint = one.wish.settings->endpoint();
  one.began = now.mono;
  one.deadline = later_by(now.mono, one.wish.settings->timeout_ns);
  one.ending.endpoint = one.endpoint;
  one.ending.carrier = one.wish.carrier;
  one.ending.policy = one.wish.policy;
  one.ending.surplus = one.wish.surplus;
  one.ending.requested = one.wish.requested;
  if (!breakers_.admits(one.who(), now)) {
    one.ending.outcome = Outcome::kBreakerOpen;
    telemetry_.observe(Histogram::kPickerSeconds, to_string(Outcome::kBreakerOpen), 0);
    return std::move(one.ending);
  }
  // Unique also among processes: the number of a predecessor's decision may be the same.
  const auto moment = static_cast<std::uint64_t>(now.wall.since_epoch_ns());
  one.ending.idempotency_key =
      fmt::format("{}-{}-{:016x}", one.wish.set_uid, ++begun_, process_part_ ^ moment);
  for (std::string& name : secrets_of(*one.wish.settings)) {
    one.secrets_to_fetch.insert(std::move(name));
  }
  consultations_.emplace(one.wish.set, std::move(made));
  schedule(one);
  if (one.secrets_to_fetch.empty()) {
    have_secrets(one, now);
  } else {
    fetch_secrets(one);
  }
  serve_lines(now);
  return std::nullopt;
}

void PickerDesk::schedule(const Consultation& one, Timestamp resume) {
  agenda_.set(one.wish.set, sooner(resume, one.deadline));
}

Nanoseconds PickerDesk::backoff_ns(unsigned failures) {
  const Nanoseconds base = std::min(kFirstBackoffNs << std::min(failures, 10U), kLongestBackoffNs);
  return jitter_.stretch_ns(base, 0.5);
}

void PickerDesk::fetch_secrets(Consultation& one) {
  for (const std::string& name : std::exchange(one.secrets_to_fetch, {})) {
    const CallId id =
        port_.send(Call::Kind::kTenantRead, secret_request(one.wish.set.namespace_name, name));
    fetches_.emplace(id, std::pair(one.wish.set, name));
    one.fetching.insert(id);
    one.secrets[name].how = SecretAnswer::How::kFailed;  // until it is there
  }
}

void PickerDesk::answered(CallId id, const Answer& answer, Now now) {
  const auto found = fetches_.find(id);
  if (found == fetches_.end()) return;
  const auto [set, name] = std::move(found->second);
  fetches_.erase(found);
  Consultation& one = *consultations_.at(set);
  one.fetching.erase(id);
  take_secret(one, name, read_secret(answer), now);
  serve_lines(now);
}

void PickerDesk::take_secret(Consultation& one, const std::string& name, SecretAnswer secret,
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

void PickerDesk::have_secrets(Consultation& one, Now now) {
  auto credentials = gather_credentials(*one.wish.settings, one.secrets);
  one.secrets.clear();
  if (!credentials) {
    one.ending.problem = std::move(credentials.error().problem);
    return end(one, credentials.error().outcome, 0, now);
  }
  one.credentials = std::move(*credentials);
  wait_for_place(one);
}

void PickerDesk::wait_for_place(Consultation& one) {
  one.phase = Consultation::Phase::kWaiting;
  endpoints_[one.endpoint].line.join(one.wish.set.namespace_name, one.wish.set);
  ++waiting_;
  to_serve_.insert(one.endpoint);
  schedule(one);
}

void PickerDesk::serve_lines(Now now) {
  while (!to_serve_.empty()) {
    const std::string name = std::move(to_serve_.extract(to_serve_.begin()).value());
    const auto found = endpoints_.find(name);
    if (found == endpoints_.end()) continue;
    Endpoint& endpoint = found->second;
    while (endpoint.asked < limits_.most_per_endpoint && !endpoint.line.empty()) {
      --waiting_;
      ask(*consultations_.at(*endpoint.line.next()), now);
    }
    if (endpoint.asked == 0 && endpoint.line.empty()) endpoints_.erase(found);
  }
  tell_gauges();
}

void PickerDesk::ask(Consultation& one, Now now) {
  const Nanoseconds left = one.left_ns(now);
  if (left < kLeastNs) return end(one, Outcome::kTimeout, 0, now);
  one.phase = Consultation::Phase::kAsking;
  ++one.ending.attempts;
  ++endpoints_[one.endpoint].asked;
  ++in_flight_;
  one.call = port_.ask({.tenant = one.wish.set.namespace_name,
                        .settings = one.wish.settings,
                        .headers = one.credentials.headers,
                        .certificate_pem = one.credentials.certificate_pem,
                        .key_pem = one.credentials.key_pem,
                        .body = one.wish.body,
                        .idempotency_key = one.ending.idempotency_key,
                        .deadline_ns = left});
  calls_.emplace(*one.call, one.wish.set);
}

void PickerDesk::leave_place(Consultation& one) {
  calls_.erase(*one.call);
  one.call.reset();
  --endpoints_.at(one.endpoint).asked;
  --in_flight_;
  to_serve_.insert(one.endpoint);
}

void PickerDesk::replied(picker::CallId id, const picker::Reply& reply, Now now) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  Consultation& one = *consultations_.at(found->second);
  leave_place(one);
  if (!reply.asked) --one.ending.attempts;
  one.ending.detail = reply.detail;
  telemetry_.count(Count::kPickerAttempts, to_string(reply.outcome));
  if (!reply.detail.empty() && telemetry_.logs(2)) {
    telemetry_.log(Severity::kInfo, 2,
                   fmt::format("picker {} of ReplicaSet {}/{}: {}: {}", one.endpoint,
                               one.wish.set.namespace_name, one.wish.set.name,
                               to_string(reply.outcome), reply.detail),
                   {{"replicaSet", ObjectName{one.wish.set.namespace_name, one.wish.set.name}},
                    {"picker", one.endpoint},
                    {"outcome", to_string(reply.outcome)},
                    {"code", reply.code},
                    {"attempt", one.ending.attempts},
                    {"err", reply.detail}});
  }
  take_reply(one, reply, now);
  serve_lines(now);
}

void PickerDesk::take_reply(Consultation& one, const picker::Reply& reply, Now now) {
  if (reply.outcome == Outcome::kAnswered) return end_answered(one, reply.answer, now);
  const bool may_help = reply.outcome != Outcome::kEmpty && reply.repeatable &&
                        one.ending.attempts <= one.wish.settings->max_retries;
  if (!may_help) return end(one, reply.outcome, reply.code, now);
  const auto failures = static_cast<unsigned>(one.ending.attempts - 1);
  const Nanoseconds pause = std::max(backoff_ns(failures), reply.retry_after_ns);
  if (pause > one.left_ns(now) - kLeastNs) return end(one, reply.outcome, reply.code, now);
  one.phase = Consultation::Phase::kPausing;
  schedule(one, later_by(now.mono, pause));
}

void PickerDesk::run(Now now) {
  for (const Key& set : agenda_.take_due(now.mono, agenda_.size())) {
    time_has_come(*consultations_.at(set), now);
  }
  serve_lines(now);
}

void PickerDesk::time_has_come(Consultation& one, Now now) {
  if (now.mono >= one.deadline) {
    if (one.call) telemetry_.count(Count::kPickerAttempts, to_string(Outcome::kTimeout));
    call_off(one);
    return end(one, Outcome::kTimeout, 0, now);
  }
  if (one.phase == Consultation::Phase::kPausing) return wait_for_place(one);
  if (one.phase == Consultation::Phase::kSecrets) fetch_secrets(one);
  schedule(one);
}

Timestamp PickerDesk::wake_at() const {
  if (!over_.empty() || !to_serve_.empty()) return kRightAway;
  return agenda_.next();
}

void PickerDesk::call_off(Consultation& one) {
  if (one.call) {
    port_.withdraw(*one.call);
    leave_place(one);
  }
  if (one.phase == Consultation::Phase::kWaiting &&
      endpoints_.at(one.endpoint).line.leave(one.wish.set.namespace_name, one.wish.set)) {
    --waiting_;
    to_serve_.insert(one.endpoint);
  }
  if (one.phase == Consultation::Phase::kSecrets) {
    for (const CallId id : std::exchange(one.fetching, {})) fetches_.erase(id);
  }
}

void PickerDesk::end(Consultation& one, Outcome outcome, int code, Now now) {
  if (one.phase == Consultation::Phase::kSecrets) call_off(one);
  one.phase = Consultation::Phase::kOver;
  one.forget_secrets();
  agenda_.erase(one.wish.set);
  PickerEnding& ending = one.ending;
  ending.outcome = outcome;
  ending.code = outcome == Outcome::kStatusCode ? code : 0;
  ending.duration_ns = elapsed_ns(one.began, now.mono);
  ending.breaker = breakers_.heard(one.who(), news_of(ending, one.wish.settings->protocol), now);
  telemetry_.observe(Histogram::kPickerSeconds, to_string(outcome), seconds(ending.duration_ns));
  over_.push_back(one.wish.set);
}

// The names are compared with those that were asked about: a pod that came up meanwhile is none
// of them, and a pod that went meanwhile was one.
void PickerDesk::end_answered(Consultation& one, const picker::Answer& answer, Now now) {
  std::vector<std::string_view> names;
  names.reserve(one.wish.names.size());
  for (std::size_t i = 0; i < one.wish.names.size(); ++i) names.push_back(one.wish.names[i]);
  const picker::Verdicts verdicts = picker::judge_names(names, answer);
  PickerEnding& ending = one.ending;
  ending.ignored = verdicts.ignored.size();
  for (std::size_t i = 0; i < verdicts.of_pods.size(); ++i) {
    const model::Verdict verdict = verdicts.of_pods[i];
    if (verdict == model::Verdict::kUnnamed) continue;
    ++(verdict == model::Verdict::kChosen ? ending.chosen : ending.tied);
    ending.named.push_back({.uid = std::string(one.wish.uids[i]), .verdict = verdict});
  }
  telemetry_.count(Count::kNamesIgnored, {}, static_cast<std::int64_t>(ending.ignored));
  end(one, ending.named.empty() ? Outcome::kEmpty : Outcome::kAnswered, 0, now);
}

PickerEnding PickerDesk::take(const Key& set) {
  const auto found = consultations_.find(set);
  EBB_CHECK(found != consultations_.end() && found->second->phase == Consultation::Phase::kOver);
  PickerEnding ending = std::move(found->second->ending);
  consultations_.erase(found);
  return ending;
}

void PickerDesk::drop(const Key& set) {
  const auto found = consultations_.find(set);
  if (found == consultations_.end()) return;
  Consultation& one = *found->second;
  if (one.phase == Consultation::Phase::kOver) {
    if (one.ending.attempts > 0) telemetry_.count(Count::kAnswersUnneeded);
  } else {
    call_off(one);
    breakers_.heard(one.who(), Breakers::News::kNothing, {.wall = {}, .mono = one.began});
  }
  agenda_.erase(set);
  std::erase(over_, set);
  consultations_.erase(found);
  tell_gauges();
}

void PickerDesk::drop_all() {
  while (!consultations_.empty()) drop(Key(consultations_.begin()->first));
  to_serve_.clear();
}

void PickerDesk::tell_gauges() {
  telemetry_.set(Gauge::kQuestionsInFlight, {}, static_cast<double>(in_flight_));
  telemetry_.set(Gauge::kQuestionsWaiting, {}, static_cast<double>(waiting_));
}

}  // namespace ebb::control
