// Deletes whose outcome nobody knew when their decision was told, and what became of them later:
// a second record that names the first.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/decision.h"
#include "control/expectations.h"
#include "control/live_pods.h"

namespace ebb::control {

// The outcome that a decision tells of a delete that nobody answered.
inline constexpr std::string_view kUnknownOutcome = "unknown, will be repeated";

struct Settlement {
  struct Pod {
    std::string name;
    std::string uid;
    std::string outcome;  // as a decision has it, or `not deleted`, or `unknown` for ever
  };

  std::string decision;  // its id
  Timestamp time{};
  std::string name_space;
  std::string replica_set;
  std::string uid;
  std::vector<Pod> pods;  // in the order of the decision

  [[nodiscard]] boost::json::object to_json() const;
};

class UnsettledDeletes {
 public:
  // Keeps the victims whose outcome is unknown. Nothing may be open.
  void begin(const Decision& decision);

  [[nodiscard]] bool any() const { return settlement_.has_value(); }
  // Those that nothing has been learnt about.
  [[nodiscard]] std::vector<std::string> open() const;
  // The first outcome counts. Pods that are not open are none of ours.
  void settle(std::string_view uid, std::string_view outcome);

  // What a live list says of those that are not expected to go any more.
  void listed(const LivePods& pods, const Expectations& expectations);

  // What became of them, once nothing is open.
  [[nodiscard]] std::optional<Settlement> take_if_settled(Timestamp now);
  // What is known when nobody will learn more.
  [[nodiscard]] std::optional<Settlement> take(Timestamp now);

 private:
  std::optional<Settlement> settlement_;
};

}  // namespace ebb::control
