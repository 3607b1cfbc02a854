// The pickers of the world: what each answers to a request, and when.
//
// A healthy picker answers the same request in the same way, whichever process sends it. Everything
// else is a fault of the profile: late, missing or wrong answers, and changes of the world while a
// call is in flight. Like a real runtime, the world reports a timeout at the call's deadline,
// unless the runtime itself is late (kPickerTooLate).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "picker/call.h"
#include "sim/core/faults.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "sim/core/truth.h"

namespace ebb::sim {

// A request as a picker reads it.
struct ReceivedRequest {
  std::size_t requested = 0;
  std::vector<std::string> candidates{};
};
// Returns nothing if the request violates the picker protocol.
[[nodiscard]] std::optional<ReceivedRequest> read_request(const picker::Call& call);

class Pickers {
 public:
  struct Context {
    Timeline& time;
    FaultCounts& met;
    // Changes when faults stop.
    const FaultProfile& profile;
    const Truth& truth;
  };
  Pickers(const Context& context, std::uint64_t seed) : context_(context), random_(seed) {}

  // The reply, and when it arrives.
  struct Plan {
    Nanoseconds after = 0;
    picker::Reply reply{};
    std::optional<Fault> fault{};
  };
  [[nodiscard]] Plan ask(const picker::Call& call);

  // Until then every picker fails, each time in the same way.
  void begin_outage(Nanoseconds duration);

  // Changes the ReplicaSet of a picker call while the call is in flight. Without a function, no
  // such change happens.
  std::function<void(Fault fault, const std::string& set_uid)> meanwhile;

 private:
  struct Outage {
    Fault fault{};
    Timestamp until{};
  };

  [[nodiscard]] std::optional<Fault> draw_fault(const std::string& endpoint);
  [[nodiscard]] Nanoseconds up_to(Nanoseconds max_ns);
  [[nodiscard]] picker::Reply reply_to(const picker::Call& call, const ReceivedRequest& request,
                                       std::optional<Fault> fault);
  [[nodiscard]] picker::Answer wrong_answer(const ReceivedRequest& request);
  void happens_meanwhile(Fault fault, const ReceivedRequest& request, Nanoseconds within);

  Context context_;
  Random random_;
  Outage of_all_{};
  std::map<std::string, Outage> outages_;  // by endpoint
};

}  // namespace ebb::sim
