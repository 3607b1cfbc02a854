// Decides which events are published: repeated events are counted, similar ones folded into one,
// and a source that records too many events about one object is rate-limited. Same algorithm and
// numbers as client-go.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/now.h"
#include "control/controller/controller.h"
#include "control/core/recent.h"

namespace ebb::control {

// An event as the API server should store it from now on.
struct Correlated {
  Event content{};     // with the message to show
  std::string name{};  // name of the event object
  std::int64_t count = 1;
  Timestamp first{};
  Timestamp last{};

  // The event exists already, so an update is enough.
  [[nodiscard]] bool repeated() const { return count > 1; }
};

class Correlator {
 public:
  // Returns nothing if the event exceeds the rate limit.
  [[nodiscard]] std::optional<Correlated> correlate(Event content, Now now);

 private:
  // Counts events of one kind whose messages differ.
  struct Similar {
    std::deque<std::uint64_t> messages{};  // their hashes
    Timestamp last{};
  };
  struct Recorded {
    std::string name{};
    std::int64_t count = 0;
    Timestamp first{};
  };
  struct Budget {
    double tokens = 0;
    Timestamp at{};
  };

  // Whether to fold this event into the one for its kind.
  [[nodiscard]] bool fold(const std::string& kind_of_thing, std::uint64_t message, Now now);
  [[nodiscard]] bool within_budget(const std::string& source_and_object, Now now);
  [[nodiscard]] std::string new_name(const std::string& object, Now now);

  static constexpr std::size_t kMax = 4096;
  Recent<Similar> similar_{kMax};
  Recent<Recorded> recorded_{kMax};
  Recent<Budget> budgets_{kMax};
  Nanoseconds last_name_ns_ = 0;
};

}  // namespace ebb::control
