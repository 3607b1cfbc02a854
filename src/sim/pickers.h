// The pickers of the world: what each answers to a question, and when.
//
// A picker that is well answers the same question the same way, whoever asks. What else happens
// is a fault of the profile: late, no or wrong answers, and changes of the world while it
// thinks. Like a real runtime, the world says that a question has timed out at its deadline,
// unless it is too late itself (kPickerTooLate).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "picker/call.h"
#include "sim/dice.h"
#include "sim/faults.h"
#include "sim/timeline.h"
#include "sim/truth.h"

namespace ebb::sim {

// A question as a picker reads it.
struct HeardQuestion {
  std::size_t requested = 0;
  std::vector<std::string> candidates{};
};
// Nothing if it is not in the sense of the contract.
[[nodiscard]] std::optional<HeardQuestion> read_question(const picker::Call& call);

class Pickers {
 public:
  struct Setting {
    Timeline& time;
    FaultCounts& met;
    // Changes when faults stop.
    const FaultProfile& profile;
    const Truth& truth;
  };
  Pickers(const Setting& setting, std::uint64_t seed) : setting_(setting), dice_(seed) {}

  // What will come back, and when.
  struct Plan {
    Nanoseconds after = 0;
    picker::Reply reply{};
    std::optional<Fault> fault{};
  };
  [[nodiscard]] Plan ask(const picker::Call& call);

  // Until then every picker fails, each time in the same way.
  void begin_outage(Nanoseconds duration);

  // Does what happens while a picker thinks, to the ReplicaSet that it was asked about. Nobody:
  // nothing of that kind happens.
  std::function<void(Fault fault, const std::string& set_uid)> meanwhile;

 private:
  struct Outage {
    Fault fault{};
    Timestamp until{};
  };

  [[nodiscard]] std::optional<Fault> draw_fault(const std::string& endpoint);
  [[nodiscard]] Nanoseconds up_to(Nanoseconds most_ns);
  [[nodiscard]] picker::Reply reply_to(const picker::Call& call, const HeardQuestion& question,
                                       std::optional<Fault> fault);
  [[nodiscard]] picker::Answer wrong_answer(const HeardQuestion& question);
  void happens_meanwhile(Fault fault, const HeardQuestion& question, Nanoseconds within);

  Setting setting_;
  Dice dice_;
  Outage of_all_{};
  std::map<std::string, Outage> outages_;  // by endpoint
};

}  // namespace ebb::sim
