// Records events: sends them to the API server.
//
// Best effort: events never delay other calls, are dropped if there are too many, and are retried a
// few times if the API server is unreachable. Namespaces take turns, and if too many events wait,
// the namespace that has most of them loses its last. Events recorded before the process stops are
// still sent, decisions first, while time remains.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/now.h"
#include "control/core/call.h"
#include "control/core/jitter.h"
#include "control/core/telemetry.h"
#include "control/process/correlator.h"

namespace ebb::control {

class Recorder {
 public:
  // `telemetry` must outlive the recorder.
  Recorder(std::uint64_t seed, Telemetry& telemetry) : telemetry_(telemetry), jitter_(seed) {}

  void record_event(Event content, Now now);

  // The request to send now, if any. Several may be in flight, but no two for the same event. The
  // caller passes `ticket` back with the answer.
  struct Wanted {
    std::uint64_t ticket = 0;
    model::ApiRequest request{};
  };
  [[nodiscard]] std::optional<Wanted> take_wanted(Now now);
  void answered(std::uint64_t ticket, const Answer& answer, Now now);
  // When take_wanted() has a request next; the zero time: only after another input.
  [[nodiscard]] Timestamp wake_at() const;
  // The process is about to exit: everything is due now, and retries come quickly.
  void stop();
  // Sends nothing more; drops all unsent events, with `why` as the logged reason.
  void give_up(std::string_view why);
  [[nodiscard]] bool idle() const { return waiting_.empty() && in_flight_.empty(); }

 private:
  struct Item {
    std::uint64_t ticket = 0;
    Correlated event{};
    int tries = 0;
    bool creates = false;  // otherwise it updates an existing event
    Timestamp not_before{};
  };

  [[nodiscard]] Item* find_waiting(const std::string& name);
  void put_back(Item item);
  void make_room();
  [[nodiscard]] std::deque<Item>::iterator next(Timestamp mono);
  [[nodiscard]] bool can_go(const Item& item, Timestamp mono) const;
  void drop(const Item& item, std::string_view why);

  Telemetry& telemetry_;
  Jitter jitter_;
  Correlator correlator_;
  std::uint64_t next_ticket_ = 1;
  // In order of occurrence, each event once: newer content replaces what is waiting.
  std::deque<Item> waiting_;
  std::deque<Item> in_flight_;
  std::string last_turn_;  // the namespace of the event that was sent last
  bool stopped_ = false;
  std::string given_up_;  // the reason; empty: not given up
};

}  // namespace ebb::control
