// Deletes whose outcome was unknown when their decision was recorded. Once the outcomes are known,
// a second record reports them and refers to the first.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/cache/live_pods.h"
#include "control/core/decision.h"
#include "control/replicaset/expectations.h"

namespace ebb::control {

// The outcome in a decision record for a delete that was not answered.
inline constexpr std::string_view kUnknownOutcome = "unknown, will be repeated";

struct LateOutcomes {
  struct Pod {
    std::string name;
    std::string uid;
    std::string outcome;  // as in a decision record, `not deleted`, or a final `unknown`
  };

  std::string decision;  // its id
  Timestamp time{};
  std::string namespace_name;
  std::string replica_set;
  std::string uid;
  std::vector<Pod> pods;  // in the order of the decision

  [[nodiscard]] boost::json::object to_json() const;
};

class UnknownDeletes {
 public:
  // Takes the victims whose outcome is unknown. Nothing may be open.
  void begin(const Decision& decision);

  [[nodiscard]] bool any() const { return late_outcomes_.has_value(); }
  // The pods whose outcome is still unknown.
  [[nodiscard]] std::vector<std::string> open() const;
  // The first outcome counts. Pods that are not open are ignored.
  void settle(std::string_view uid, std::string_view outcome);

  // Settles pods that are no longer expected to be deleted, from a live list.
  void listed(const LivePods& pods, const Expectations& expectations);

  // The outcomes, once nothing is open.
  [[nodiscard]] std::optional<LateOutcomes> take_if_settled(Timestamp now);
  // The outcomes known so far, if no more will be learnt.
  [[nodiscard]] std::optional<LateOutcomes> take(Timestamp now);

 private:
  std::optional<LateOutcomes> late_outcomes_;
};

}  // namespace ebb::control
