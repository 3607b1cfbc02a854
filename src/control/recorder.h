// Tells people what happened: events on their way to the API server.
//
// Best effort: never in the way of anything else, dropped where there are too many, and tried
// again a few times where the API server cannot be reached. What was noted before the process
// stops is still sent, decisions first, for as long as there is time.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/now.h"
#include "control/call.h"
#include "control/correlator.h"
#include "control/jitter.h"
#include "control/telemetry.h"

namespace ebb::control {

class Recorder {
 public:
  // `telemetry` must outlive it.
  Recorder(std::uint64_t seed, Telemetry& telemetry) : telemetry_(telemetry), jitter_(seed) {}

  void note(Note note, Now now);

  // What to send, if anything is to be sent now; several may be under way, but no two about the
  // same event. Whoever sends it names it by `ticket` when its answer comes.
  struct Wanted {
    std::uint64_t ticket = 0;
    model::ApiRequest request{};
  };
  [[nodiscard]] std::optional<Wanted> take_wanted(Now now);
  void answered(std::uint64_t ticket, const Answer& answer, Now now);
  // When take_wanted() has something next; the zero time: only after something happens.
  [[nodiscard]] Timestamp wake_at() const;
  // The process is about to end: everything is due now, and what fails is tried again soon.
  void stop();
  // Nothing is sent any more; everything that was not is dropped, because of `why`.
  void give_up(std::string_view why);
  [[nodiscard]] bool idle() const { return waiting_.empty() && under_way_.empty(); }

 private:
  struct Item {
    std::uint64_t ticket = 0;
    Correlated event{};
    int tries = 0;
    bool creates = false;  // otherwise it updates one that is there
    Timestamp not_before{};
  };

  [[nodiscard]] Item* find_waiting(const std::string& name);
  void put_back(Item item);
  [[nodiscard]] std::deque<Item>::iterator next(Timestamp mono);
  [[nodiscard]] bool can_go(const Item& item, Timestamp mono) const;
  void drop(const Item& item, std::string_view why);

  Telemetry& telemetry_;
  Jitter jitter_;
  Correlator correlator_;
  std::uint64_t next_ticket_ = 1;
  // In the order in which they happened, each event once: news of it replaces what waits.
  std::deque<Item> waiting_;
  std::deque<Item> under_way_;
  bool stopped_ = false;
  std::string given_up_;  // why; empty: not yet
};

}  // namespace ebb::control
