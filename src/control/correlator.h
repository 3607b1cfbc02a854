// Which events people get to see: repeated ones are counted, similar ones folded into one, and who
// talks too much about an object is not listened to. As client-go does it, with its numbers.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/now.h"
#include "control/port.h"
#include "control/recent.h"

namespace ebb::control {

// An event as it should be on the API server from now on.
struct Correlated {
  Note note{};         // with the message that is shown
  std::string name{};  // of the event
  std::int64_t count = 1;
  Timestamp first{};
  Timestamp last{};

  // It was told before, so that it only needs to be brought up to date.
  [[nodiscard]] bool repeated() const { return count > 1; }
};

class Correlator {
 public:
  // Nothing: this is one too many.
  [[nodiscard]] std::optional<Correlated> correlate(Note note, Now now);

 private:
  // Messages that differ but say the same kind of thing.
  struct Similar {
    std::deque<std::string> messages{};
    Timestamp last{};
  };
  struct Told {
    std::string name{};
    std::int64_t count = 0;
    Timestamp first{};
  };
  struct Budget {
    double tokens = 0;
    Timestamp at{};
  };

  // Whether this should be folded into one with those like it.
  [[nodiscard]] bool fold(const std::string& kind_of_thing, const std::string& message, Now now);
  [[nodiscard]] bool within_budget(const std::string& source_and_object, Now now);
  [[nodiscard]] std::string new_name(const std::string& object, Now now);

  static constexpr std::size_t kMost = 4096;
  Recent<Similar> similar_{kMost};
  Recent<Told> told_{kMost};
  Recent<Budget> budgets_{kMost};
  Nanoseconds last_name_ns_ = 0;
};

}  // namespace ebb::control
