// Queues calls until they may be sent.
//
// Lease calls go first and never wait. Then come streams, list pages, writes together with reads in
// a namespace, tenant reads and patient writes, and events last; all of these respect the client's
// rate limit and the limit on in-flight calls. Within a priority namespaces take turns, so that a
// tenant with thousands of writes does not delay the single write of another; calls in one
// namespace are sent in order of arrival. Patient writes leave half of the burst unused, so that
// later calls need not wait for them. Writes and events are sent only while the lease is certainly
// held and the sender still wants them. Retryable answers to repeatable requests are retried here
// and hidden from the caller.
//
// Tenant reads may use a quarter of the rate limit ahead of writes, and have slots of their own: a
// tenant with many writes cannot block reads of other tenants' Secrets, and tenants with many
// Secrets cannot block writes. Patient writes and events have a small share too (without a rate
// limit, one slot each), so that a tenant with endless writes cannot silence the statuses, ranks
// and events of others.
#pragma once  // private to its room

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline_queue.h"
#include "base/fair_queue.h"
#include "base/now.h"
#include "control/core/call.h"
#include "control/core/telemetry.h"

namespace ebb::control {

struct DispatcherSettings {
  double qps = 20;  // 0: unlimited
  int burst = 30;
  // Streams, lease calls and tenant reads do not count against this limit.
  std::size_t max_in_flight = 500;
};

class Dispatcher {
 public:
  // `telemetry` must outlive the dispatcher.
  Dispatcher(DispatcherSettings settings, Telemetry& telemetry);

  // Ids must be unique.
  void add(Call call, Now now);
  // Returns the calls to send now; they are in flight from here on. `leads`: the lease is certainly
  // held. `still_wanted` is called for each read and write; calls that are no longer wanted are
  // answered kNotSent.
  using StillWanted = std::function<bool(CallId)>;
  [[nodiscard]] std::vector<Call> take(Now now, bool leads, const StillWanted& still_wanted = {});
  // Returns the answer for the sender; nothing if the call will be retried or is unknown.
  [[nodiscard]] std::optional<Answer> answered(CallId id, const Answer& answer, Now now);
  // Drops a call whose sender no longer needs the answer. Returns true for an in-flight stream,
  // which the caller must cancel; the answer to any other in-flight call is ignored.
  bool forget(CallId id);
  // Answers kNotSent to each waiting write for which `must_not_be_sent` returns true.
  void refuse_writes(const std::function<bool(CallId)>& must_not_be_sent);
  // Sends only lease calls from now on; all others are answered kNotSent.
  void close() { open_to_ = OpenTo::kLeases; }
  // The same, but events are still sent.
  void close_to_all_but_events() {
    if (open_to_ == OpenTo::kAll) open_to_ = OpenTo::kEvents;
  }

  // Calls that were answered kNotSent.
  [[nodiscard]] std::vector<std::pair<CallId, Answer>> take_refused();

  // When time alone gives take() something to return; the zero time: only after an answer.
  [[nodiscard]] Timestamp wake_at() const;
  // The time by which every write sent so far has been carried out or never will be; the zero time
  // if all outcomes are known.
  [[nodiscard]] Timestamp settled_at() const;

 private:
  // In the order in which calls are sent.
  enum Priority : std::uint8_t {
    kLeases,
    kStreams,
    kReads,
    kWrites,
    kTenantReads,
    kPatientWrites,
    kEvents,
    kPriorities
  };

  struct Entry {
    Call call{};
    Timestamp since{};  // when it was queued or sent
    int retries = 0;
    bool perhaps_done = false;  // an earlier attempt may have been carried out
  };
  using Entries = std::map<CallId, Entry>;

  [[nodiscard]] static Priority priority_of(const Call& call);
  [[nodiscard]] static bool limited(Call::Kind kind) {
    return kind != Call::Kind::kLease && kind != Call::Kind::kStream &&
           kind != Call::Kind::kTenantRead;
  }
  enum class Place : std::uint8_t { kLast, kFirst };  // among the calls in its namespace
  void wait(Entries::node_type entry, Place place);
  void stop_waiting(const Entry& entry);
  [[nodiscard]] bool may_have_place(const std::string& tenant) const;
  void refuse(const Entry& entry);
  [[nodiscard]] bool open_to(Call::Kind kind) const;
  void refuse_what_may_not_be_sent(bool leads);
  void refill(Now now);
  [[nodiscard]] bool has_place(Priority rank) const;
  // A call of this priority waits unless the rate limit has at least this many tokens.
  [[nodiscard]] double tokens_needed(Priority rank) const;
  // Sends the call, whose turn it is, unless its sender has withdrawn it. Returns whether it was
  // sent.
  bool send_if_wanted(Entries::iterator entry, Now now, const StillWanted& still_wanted,
                      std::vector<Call>& calls);
  void send_out(Entries::iterator entry, Now now, std::vector<Call>& calls);
  // Sends the calls of a priority that fit into its share of the rate limit, or all that there is
  // room for.
  enum class Within : std::uint8_t { kShare, kRoom };
  void send_all(Priority rank, Within within, Now now, const StillWanted& still_wanted,
                std::vector<Call>& calls);
  [[nodiscard]] bool retries_later(Entry& entry, const Answer& answer, Now now);

  DispatcherSettings settings_;
  Telemetry& telemetry_;
  std::array<Entries, kPriorities> waiting_;
  std::array<FairQueue<CallId>, kPriorities> turns_;           // the ids in waiting_, by namespace
  std::map<std::string, std::size_t> tenant_reads_in_flight_;  // by namespace
  Entries delayed_;  // waiting for the server's Retry-After
  DeadlineQueue<CallId> delays_;
  Entries in_flight_;
  std::size_t limited_in_flight_ = 0;
  std::array<std::size_t, kPriorities> in_flight_of_{};
  Timestamp unknown_until_;  // writes of unknown outcome may be carried out until then
  double tokens_;
  // The part of them that calls of a priority may use ahead of writes.
  std::array<double, kPriorities> share_tokens_{};
  Timestamp tokens_at_;
  enum class OpenTo : std::uint8_t { kAll, kEvents, kLeases };
  OpenTo open_to_ = OpenTo::kAll;
  std::vector<std::pair<CallId, Answer>> refused_;
};

}  // namespace ebb::control
