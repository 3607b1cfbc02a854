// Where calls wait until they may be sent.
//
// Calls of the lease go first and never wait. Then streams, reads, writes, reads for tenants and
// patient writes, each in the order in which they came, then events; all of these within the
// client's rate limit and the number of calls that may be under way. Patient writes leave half of
// the burst to others, so that what comes next need not wait for them. Writes and events go out
// only while the lease is held at that very moment, and as long as their sender still wants them.
// An answer that asks to come again later is not handed on, if asking again is safe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/agenda.h"
#include "base/now.h"
#include "control/call.h"
#include "control/telemetry.h"

namespace ebb::control {

struct DispatcherSettings {
  double qps = 20;  // 0: no limit
  int burst = 30;
  std::size_t most_in_flight = 500;  // streams and calls of the lease are not counted
};

class Dispatcher {
 public:
  // `telemetry` must outlive it.
  Dispatcher(DispatcherSettings settings, Telemetry& telemetry);

  // Ids must grow: they are the order.
  void add(Call call, Now now);
  // What may be sent, and is under way from now on. `leads`: the lease is held for certain.
  // `still_wanted` is asked of each read and write; what is not wanted any more is answered
  // kNotSent.
  using StillWanted = std::function<bool(CallId)>;
  [[nodiscard]] std::vector<Call> take(Now now, bool leads, const StillWanted& still_wanted = {});
  // What its sender should hear; nothing if the call will be sent again, or is not known.
  [[nodiscard]] std::optional<Answer> answered(CallId id, const Answer& answer, Now now);
  // The sender is not interested any more. Returns whether this is a stream under way, which has
  // to be cancelled; any other call under way is answered some time, and nobody cares.
  bool forget(CallId id);
  // From now on nothing but calls of the lease is sent; the rest is answered kNotSent.
  void close() { open_to_ = OpenTo::kLeases; }
  // The same, but events are sent as well.
  void close_to_all_but_events() {
    if (open_to_ == OpenTo::kAll) open_to_ = OpenTo::kEvents;
  }

  // Calls that were answered here because they were not sent.
  [[nodiscard]] std::vector<std::pair<CallId, Answer>> take_refused();

  // When take() has something next because of the time; the zero time: only after an answer.
  [[nodiscard]] Timestamp wake_at() const;
  // By when every write that was sent has been carried out or never will be; the zero time if
  // that is known of all of them.
  [[nodiscard]] Timestamp settled_at() const;

 private:
  // In the order in which they are handed out.
  enum Rank : std::uint8_t {
    kLeases,
    kStreams,
    kReads,
    kWrites,
    kTenantReads,
    kPatientWrites,
    kEvents,
    kRanks
  };

  struct Entry {
    Call call{};
    Timestamp since{};  // it waits, or it was sent
    int retries = 0;
    bool perhaps_done = false;  // an earlier try may have been carried out
  };
  using Entries = std::map<CallId, Entry>;

  [[nodiscard]] static Rank rank_of(Call::Kind kind);
  [[nodiscard]] static bool limited(Call::Kind kind) {
    return kind != Call::Kind::kLease && kind != Call::Kind::kStream;
  }
  void refuse(const Entry& entry);
  [[nodiscard]] bool open_to(Call::Kind kind) const;
  void refuse_what_may_not_be_sent(bool leads);
  void refill(Now now);
  [[nodiscard]] bool has_place(Rank rank) const;
  // Of the rate limit: without so many, a call of this rank waits.
  [[nodiscard]] double tokens_needed(Rank rank) const;
  [[nodiscard]] bool has_room(Rank rank) const;
  void hand_out(Rank rank, Now now, std::vector<Call>& calls);
  [[nodiscard]] bool retries_later(Entry& entry, const Answer& answer, Now now);

  DispatcherSettings settings_;
  Telemetry& telemetry_;
  std::array<Entries, kRanks> waiting_;
  Entries delayed_;  // until the server wants to be asked again
  Agenda<CallId> delays_;
  Entries in_flight_;
  std::size_t limited_in_flight_ = 0;
  std::array<std::size_t, kRanks> in_flight_of_{};
  Timestamp unknown_until_;  // writes of unknown outcome may be carried out until then
  double tokens_;
  Timestamp tokens_at_;
  enum class OpenTo : std::uint8_t { kAll, kEvents, kLeases };
  OpenTo open_to_ = OpenTo::kAll;
  std::vector<std::pair<CallId, Answer>> refused_;
};

}  // namespace ebb::control
