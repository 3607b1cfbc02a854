#include "control/dispatcher.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "control/repeatable.h"

namespace ebb::control {
namespace {

constexpr std::size_t kMostEventsWaiting = 1000;
// Slow events must not keep writes waiting, and neither must writes that nothing waits for.
constexpr std::size_t kMostEventsInFlight = 16;
constexpr std::size_t kMostPatientWritesInFlight = 16;
constexpr int kMostRetries = 10;
// Who is asked to wait longer than this is told so instead.
constexpr int kLongestRetryAfterSeconds = 60;

double seconds(Timestamp from, Timestamp to) {
  return static_cast<double>(elapsed_ns(from, to)) / static_cast<double>(kNanosecondsPerSecond);
}

bool needs_lease(Call::Kind kind) { return is_write(kind) || kind == Call::Kind::kEvent; }

// Whoever follows the cluster, or holds the lease, has ways of its own to try again.
bool tries_again_itself(Call::Kind kind) {
  return kind == Call::Kind::kStream || kind == Call::Kind::kLease;
}

// It is done now, or the object is not what it was when the call was made.
bool speaks_for_all_tries(const Answer& answer) {
  return answer.succeeded() || (answer.outcome == Answer::Outcome::kAnswered &&
                                (answer.response.code == 404 || answer.response.code == 409));
}

}  // namespace

Dispatcher::Dispatcher(DispatcherSettings settings, Telemetry& telemetry)
    : settings_(settings), telemetry_(telemetry), tokens_(std::max(1, settings.burst)) {}

Dispatcher::Rank Dispatcher::rank_of(Call::Kind kind) {
  switch (kind) {
    case Call::Kind::kLease:
      return kLeases;
    case Call::Kind::kStream:
      return kStreams;
    case Call::Kind::kRead:
      return kReads;
    case Call::Kind::kWrite:
      return kWrites;
    case Call::Kind::kTenantRead:
      return kTenantReads;
    case Call::Kind::kPatientWrite:
      return kPatientWrites;
    case Call::Kind::kEvent:
      break;
  }
  return kEvents;
}

void Dispatcher::add(Call call, Now now) {
  const Rank rank = rank_of(call.kind);
  if (rank == kEvents && waiting_[kEvents].size() >= kMostEventsWaiting) {
    telemetry_.count(Count::kEventsDropped);
    return refuse({.call = std::move(call)});
  }
  const CallId id = call.id;
  const bool added =
      waiting_[rank].emplace(id, Entry{.call = std::move(call), .since = now.mono}).second;
  EBB_CHECK(added);
}

void Dispatcher::refuse(const Entry& entry) {
  const auto outcome = entry.perhaps_done ? Answer::Outcome::kUnknown : Answer::Outcome::kNotSent;
  refused_.emplace_back(entry.call.id, Answer{.outcome = outcome});
}

std::vector<Call> Dispatcher::take(Now now, bool leads, const StillWanted& still_wanted) {
  for (const CallId id : delays_.take_due(now.mono, delays_.size())) {
    auto entry = delayed_.extract(id);
    waiting_[rank_of(entry.mapped().call.kind)].insert(std::move(entry));
  }
  refuse_what_may_not_be_sent(leads);
  refill(now);
  std::vector<Call> calls;
  for (const Rank rank :
       {kLeases, kStreams, kReads, kWrites, kTenantReads, kPatientWrites, kEvents}) {
    const bool asks = rank != kLeases && rank != kStreams && rank != kEvents && still_wanted;
    while (!waiting_[rank].empty() && has_room(rank)) {
      const auto first = waiting_[rank].begin();
      if (asks && !still_wanted(first->first)) {
        telemetry_.count(Count::kCallsWithdrawn);
        refuse(first->second);
        waiting_[rank].erase(first);
      } else {
        hand_out(rank, now, calls);
      }
    }
  }
  return calls;
}

bool Dispatcher::open_to(Call::Kind kind) const {
  if (open_to_ == OpenTo::kAll || kind == Call::Kind::kLease) return true;
  return open_to_ == OpenTo::kEvents && kind == Call::Kind::kEvent;
}

void Dispatcher::refuse_what_may_not_be_sent(bool leads) {
  if (leads && open_to_ == OpenTo::kAll) return;
  const auto refuse_in = [this, leads](Entries& entries) {
    for (auto entry = entries.begin(); entry != entries.end();) {
      const Call::Kind kind = entry->second.call.kind;
      const bool fenced = !leads && needs_lease(kind);
      if (!fenced && open_to(kind)) {
        ++entry;
        continue;
      }
      if (fenced) telemetry_.count(Count::kCallsFenced);
      refuse(entry->second);
      delays_.erase(entry->first);
      entry = entries.erase(entry);
    }
  };
  for (Entries& entries : waiting_) refuse_in(entries);
  refuse_in(delayed_);
}

void Dispatcher::refill(Now now) {
  if (settings_.qps <= 0) return;
  if (!tokens_at_.is_zero()) {
    tokens_ = std::min(static_cast<double>(std::max(1, settings_.burst)),
                       tokens_ + settings_.qps * seconds(tokens_at_, now.mono));
  }
  tokens_at_ = now.mono;
}

bool Dispatcher::has_place(Rank rank) const {
  if (rank == kLeases || rank == kStreams) return true;
  if (rank == kEvents && in_flight_of_[rank] >= kMostEventsInFlight) return false;
  if (rank == kPatientWrites && in_flight_of_[rank] >= kMostPatientWritesInFlight) return false;
  return limited_in_flight_ < settings_.most_in_flight;
}

double Dispatcher::tokens_needed(Rank rank) const {
  if (settings_.qps <= 0 || rank == kLeases) return 0;
  return rank == kPatientWrites ? std::max(1.0, settings_.burst / 2.0) : 1;
}

bool Dispatcher::has_room(Rank rank) const {
  return has_place(rank) && tokens_ >= tokens_needed(rank);
}

void Dispatcher::hand_out(Rank rank, Now now, std::vector<Call>& calls) {
  auto node = waiting_[rank].extract(waiting_[rank].begin());
  Entry& entry = node.mapped();
  if (rank != kLeases) {
    if (settings_.qps > 0) tokens_ -= 1;
    telemetry_.observe(Histogram::kRateLimiterSeconds, {}, seconds(entry.since, now.mono));
  }
  if (limited(entry.call.kind)) ++limited_in_flight_;
  ++in_flight_of_[rank];
  entry.since = now.mono;
  calls.push_back(entry.call);
  in_flight_.insert(std::move(node));
}

std::optional<Answer> Dispatcher::answered(CallId id, const Answer& answer, Now now) {
  auto node = in_flight_.extract(id);
  if (node.empty()) return std::nullopt;
  Entry& entry = node.mapped();
  if (limited(entry.call.kind)) --limited_in_flight_;
  --in_flight_of_[rank_of(entry.call.kind)];
  if (is_write(entry.call.kind) && answer.unknown()) {
    unknown_until_ = std::max(unknown_until_, later_by(entry.since, entry.call.deadline_ns));
  }
  if (retries_later(entry, answer, now)) {
    delayed_.insert(std::move(node));
    return std::nullopt;
  }
  // That the last try came to nothing says nothing about those before it.
  if (entry.perhaps_done && !speaks_for_all_tries(answer)) {
    return Answer{.outcome = Answer::Outcome::kUnknown};
  }
  return answer;
}

bool Dispatcher::retries_later(Entry& entry, const Answer& answer, Now now) {
  const model::ApiResponse& response = answer.response;
  if (answer.outcome != Answer::Outcome::kAnswered || open_to_ != OpenTo::kAll ||
      response.retry_after_seconds <= 0 ||
      response.retry_after_seconds > kLongestRetryAfterSeconds ||
      tries_again_itself(entry.call.kind) || entry.retries >= kMostRetries) {
    return false;
  }
  // Who was told that there were too many requests was not served at all.
  const bool not_carried_out = response.code == 429;
  if (!not_carried_out && (response.code < 500 || !is_repeatable(entry.call.request))) {
    return false;
  }
  ++entry.retries;
  if (answer.unknown()) entry.perhaps_done = true;
  entry.since = later_by(now.mono, response.retry_after_seconds * kNanosecondsPerSecond);
  delays_.set(entry.call.id, entry.since);
  telemetry_.count(Count::kCallsRetried);
  return true;
}

bool Dispatcher::forget(CallId id) {
  for (Entries& entries : waiting_) entries.erase(id);
  delayed_.erase(id);
  delays_.erase(id);
  const auto found = in_flight_.find(id);
  if (found == in_flight_.end() || found->second.call.kind != Call::Kind::kStream) return false;
  --in_flight_of_[kStreams];
  in_flight_.erase(found);
  return true;
}

std::vector<std::pair<CallId, Answer>> Dispatcher::take_refused() {
  return std::exchange(refused_, {});
}

Timestamp Dispatcher::wake_at() const {
  if (!waiting_[kLeases].empty()) return waiting_[kLeases].begin()->second.since;
  Timestamp wake = delays_.next();
  if (settings_.qps <= 0 || tokens_at_.is_zero()) return wake;
  for (const Rank rank : {kStreams, kReads, kWrites, kTenantReads, kPatientWrites, kEvents}) {
    if (waiting_[rank].empty() || !has_place(rank) || tokens_ >= tokens_needed(rank)) continue;
    // Rounded up, so that there is a whole token when the time has come.
    const double wait_ns = std::ceil((tokens_needed(rank) - tokens_) / settings_.qps *
                                     static_cast<double>(kNanosecondsPerSecond)) +
                           1;
    wake = sooner(wake, later_by(tokens_at_, static_cast<Nanoseconds>(wait_ns)));
  }
  return wake;
}

Timestamp Dispatcher::settled_at() const {
  Timestamp settled = unknown_until_;
  for (const auto& [id, entry] : in_flight_) {
    if (!is_write(entry.call.kind)) continue;
    settled = std::max(settled, later_by(entry.since, entry.call.deadline_ns));
  }
  return settled;
}

}  // namespace ebb::control
