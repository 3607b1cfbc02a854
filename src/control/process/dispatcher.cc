#include "control/process/dispatcher.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "control/core/json_document.h"
#include "control/core/repeatable.h"

namespace ebb::control {
namespace {

constexpr std::size_t kMaxEventsWaiting = 1000;
// Slow events must not delay writes, and neither must writes that nothing waits for.
constexpr std::size_t kMaxEventsInFlight = 16;
constexpr std::size_t kMaxPatientWritesInFlight = 16;
// Shares of the rate limit and of its burst that may be used ahead of writes.
constexpr double kTenantShare = 0.25;
constexpr double kBackgroundShare = 0.05;  // for patient writes, and the same for events
constexpr std::size_t kMaxTenantReadsInFlight = 16;
constexpr std::size_t kMinSlotsToShare = 4;  // with fewer, writes keep too small a part
constexpr int kMaxRetries = 10;
// If the server asks for a longer wait, the answer goes to the caller instead of a retry.
constexpr int kLongestRetryAfterSeconds = 60;

double seconds(Timestamp from, Timestamp to) {
  return static_cast<double>(elapsed_ns(from, to)) / static_cast<double>(kNanosecondsPerSecond);
}

bool needs_lease(Call::Kind kind) { return is_write(kind) || kind == Call::Kind::kEvent; }

// The namespace in the path; empty if the path has none. Events are written to the namespace of
// their object.
std::string tenant_of(const Call& call) {
  constexpr std::string_view kBefore = "/namespaces/";
  const std::string& path = call.request.path;
  const std::size_t found = path.find(kBefore);
  if (found == std::string::npos) return {};
  const std::size_t begin = found + kBefore.size();
  return path.substr(begin, path.find('/', begin) - begin);
}

// Reflectors and the elector have their own retry logic.
bool tries_again_itself(Call::Kind kind) {
  return kind == Call::Kind::kStream || kind == Call::Kind::kLease;
}

// The write has been carried out, or the object has changed since the call was made. A denial by a
// webhook says nothing about earlier attempts.
bool speaks_for_all_tries(const Answer& answer) {
  return answer.succeeded() || (answer.outcome == Answer::Outcome::kAnswered &&
                                (answer.response.code == 404 || answer.response.code == 409) &&
                                !is_admission_denial(answer));
}

}  // namespace

Dispatcher::Dispatcher(DispatcherSettings settings, Telemetry& telemetry)
    : settings_(settings), telemetry_(telemetry), tokens_(std::max(1, settings.burst)) {
  share_tokens_.fill(1);
  share_tokens_[kTenantReads] = std::max(1.0, settings.burst * kTenantShare);
}

Dispatcher::Priority Dispatcher::priority_of(const Call& call) {
  switch (call.kind) {
    case Call::Kind::kLease:
      return kLeases;
    case Call::Kind::kStream:
      return kStreams;
    case Call::Kind::kRead:
      // One that a tenant can cause takes turns with the writes of others.
      return tenant_of(call).empty() ? kReads : kWrites;
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
  const Priority rank = priority_of(call);
  if (rank == kEvents && waiting_[kEvents].size() >= kMaxEventsWaiting) {
    telemetry_.count(Count::kEventsDropped);
    return refuse({.call = std::move(call)});
  }
  const CallId id = call.id;
  Entries one;
  one.emplace(id, Entry{.call = std::move(call), .since = now.mono});
  wait(one.extract(one.begin()), Place::kLast);
}

void Dispatcher::wait(Entries::node_type entry, Place place) {
  const Call& call = entry.mapped().call;
  const Priority rank = priority_of(call);
  if (place == Place::kFirst) {
    turns_[rank].join_first(tenant_of(call), call.id);
  } else {
    turns_[rank].join(tenant_of(call), call.id);
  }
  const bool added = waiting_[rank].insert(std::move(entry)).inserted;
  EBB_CHECK(added);
}

void Dispatcher::stop_waiting(const Entry& entry) {
  turns_[priority_of(entry.call)].leave(tenant_of(entry.call), entry.call.id);
}

void Dispatcher::refuse(const Entry& entry) {
  const auto outcome = entry.perhaps_done ? Answer::Outcome::kUnknown : Answer::Outcome::kNotSent;
  refused_.emplace_back(entry.call.id, Answer{.outcome = outcome});
}

std::vector<Call> Dispatcher::take(Now now, bool leads, const StillWanted& still_wanted) {
  for (const CallId id : delays_.take_due(now.mono, delays_.size())) {
    wait(delayed_.extract(id), Place::kFirst);
  }
  refuse_what_may_not_be_sent(leads);
  refill(now);
  std::vector<Call> calls;
  for (const Priority rank :
       {kLeases, kStreams, kReads, kWrites, kTenantReads, kPatientWrites, kEvents}) {
    if (rank == kWrites) {
      send_all(kTenantReads, Within::kShare, now, still_wanted, calls);
      // Otherwise these have their turn anyway.
      const bool is_busy = settings_.qps > 0 ? !waiting_[kWrites].empty()
                                             : limited_in_flight_ + waiting_[kWrites].size() >=
                                                   settings_.max_in_flight;
      if (is_busy) send_all(kPatientWrites, Within::kShare, now, still_wanted, calls);
      if (is_busy) send_all(kEvents, Within::kShare, now, still_wanted, calls);
    }
    send_all(rank, Within::kRoom, now, still_wanted, calls);
  }
  return calls;
}

bool Dispatcher::send_if_wanted(Entries::iterator entry, Now now, const StillWanted& still_wanted,
                                std::vector<Call>& calls) {
  const Priority rank = priority_of(entry->second.call);
  const bool asks = rank != kLeases && rank != kStreams && rank != kEvents && still_wanted;
  if (asks && !still_wanted(entry->first)) {
    telemetry_.count(Count::kCallsWithdrawn);
    refuse(entry->second);
    waiting_[rank].erase(entry);
    return false;
  }
  send_out(entry, now, calls);
  return true;
}

void Dispatcher::send_all(Priority rank, Within within, Now now, const StillWanted& still_wanted,
                          std::vector<Call>& calls) {
  const auto has_tokens = [&] {
    if (within == Within::kRoom) return tokens_ >= tokens_needed(rank);
    if (settings_.qps > 0) return tokens_ >= 1 && share_tokens_[rank] >= 1;
    // Without a rate limit the share is one of the slots; tenant reads have slots of their own.
    return rank != kTenantReads && in_flight_of_[rank] == 0 &&
           settings_.max_in_flight >= kMinSlotsToShare;
  };
  while (has_place(rank) && has_tokens()) {
    const auto id = turns_[rank].next([this, rank](const std::string& tenant) {
      return rank != kTenantReads || may_have_place(tenant);
    });
    if (!id) return;
    const auto entry = waiting_[rank].find(*id);
    EBB_CHECK(entry != waiting_[rank].end());
    const std::string tenant = rank == kTenantReads ? tenant_of(entry->second.call) : "";
    if (!send_if_wanted(entry, now, still_wanted, calls)) continue;
    if (rank == kTenantReads) ++tenant_reads_in_flight_[tenant];
    if (settings_.qps > 0) share_tokens_[rank] = std::max(0.0, share_tokens_[rank] - 1);
  }
}

// A tenant may hold at most as many slots as remain free.
bool Dispatcher::may_have_place(const std::string& tenant) const {
  const auto held = tenant_reads_in_flight_.find(tenant);
  return held == tenant_reads_in_flight_.end() ||
         held->second < kMaxTenantReadsInFlight - in_flight_of_[kTenantReads];
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
      stop_waiting(entry->second);
      delays_.erase(entry->first);
      entry = entries.erase(entry);
    }
  };
  for (Entries& entries : waiting_) refuse_in(entries);
  refuse_in(delayed_);
}

void Dispatcher::refuse_writes(const std::function<bool(CallId)>& must_not_be_sent) {
  const auto refuse_in = [&](Entries& entries) {
    for (auto entry = entries.begin(); entry != entries.end();) {
      if (!is_write(entry->second.call.kind) || !must_not_be_sent(entry->first)) {
        ++entry;
        continue;
      }
      telemetry_.count(Count::kCallsWithdrawn);
      refuse(entry->second);
      stop_waiting(entry->second);
      delays_.erase(entry->first);
      entry = entries.erase(entry);
    }
  };
  refuse_in(waiting_[kWrites]);
  refuse_in(waiting_[kPatientWrites]);
  refuse_in(delayed_);
}

void Dispatcher::refill(Now now) {
  if (settings_.qps <= 0) return;
  if (!tokens_at_.is_zero()) {
    const double new_tokens = settings_.qps * seconds(tokens_at_, now.mono);
    tokens_ = std::min(static_cast<double>(std::max(1, settings_.burst)), tokens_ + new_tokens);
    const auto refill_share = [&](Priority rank, double share) {
      share_tokens_[rank] = std::min(std::max(1.0, settings_.burst * share),
                                     share_tokens_[rank] + new_tokens * share);
    };
    refill_share(kTenantReads, kTenantShare);
    refill_share(kPatientWrites, kBackgroundShare);
    refill_share(kEvents, kBackgroundShare);
  }
  tokens_at_ = now.mono;
}

bool Dispatcher::has_place(Priority rank) const {
  if (rank == kLeases || rank == kStreams) return true;
  if (rank == kEvents && in_flight_of_[rank] >= kMaxEventsInFlight) return false;
  if (rank == kPatientWrites && in_flight_of_[rank] >= kMaxPatientWritesInFlight) return false;
  if (rank == kTenantReads) return in_flight_of_[rank] < kMaxTenantReadsInFlight;
  return limited_in_flight_ < settings_.max_in_flight;
}

double Dispatcher::tokens_needed(Priority rank) const {
  if (settings_.qps <= 0 || rank == kLeases) return 0;
  return rank == kPatientWrites ? std::max(1.0, settings_.burst / 2.0) : 1;
}

void Dispatcher::send_out(Entries::iterator first, Now now, std::vector<Call>& calls) {
  const Priority rank = priority_of(first->second.call);
  auto node = waiting_[rank].extract(first);
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
  --in_flight_of_[priority_of(entry.call)];
  if (entry.call.kind == Call::Kind::kTenantRead) {
    const auto held = tenant_reads_in_flight_.find(tenant_of(entry.call));
    if (--held->second == 0) tenant_reads_in_flight_.erase(held);
  }
  if (is_write(entry.call.kind) && answer.unknown()) {
    unknown_until_ = std::max(unknown_until_, later_by(entry.since, entry.call.deadline_ns));
  }
  if (retries_later(entry, answer, now)) {
    delayed_.insert(std::move(node));
    return std::nullopt;
  }
  // A failed last attempt says nothing about the attempts before it.
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
      tries_again_itself(entry.call.kind) || entry.retries >= kMaxRetries) {
    return false;
  }
  // The server rejects with 429 before it processes a request.
  const bool not_carried_out = response.code == 429;
  if (!not_carried_out && (response.code < 500 || !is_repeatable(entry.call.request))) {
    return false;
  }
  // A webhook that keeps asking for a retry would block the call, and its sender's slot, for ten
  // minutes. The sender backs off by itself.
  if (is_admission_denial(answer)) return false;
  ++entry.retries;
  if (answer.unknown()) entry.perhaps_done = true;
  entry.since = later_by(now.mono, response.retry_after_seconds * kNanosecondsPerSecond);
  delays_.set(entry.call.id, entry.since);
  telemetry_.count(Count::kCallsRetried);
  return true;
}

bool Dispatcher::forget(CallId id) {
  for (Entries& entries : waiting_) {
    const auto found = entries.find(id);
    if (found == entries.end()) continue;
    stop_waiting(found->second);
    entries.erase(found);
  }
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
  for (const Priority rank : {kStreams, kReads, kWrites, kTenantReads, kPatientWrites, kEvents}) {
    if (waiting_[rank].empty() || !has_place(rank) || tokens_ >= tokens_needed(rank)) continue;
    // Rounded up, so that a whole token is available at that time.
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
