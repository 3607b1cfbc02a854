// The status of a DownscalePolicy: whether it is valid, whether its target exists, whether another
// policy takes precedence, how its picker answered, and what was ranked. Conditions of other
// writers are kept.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/cache/store.h"
#include "control/policy/policy_reports.h"

namespace ebb::control {

// What is known about a policy, in addition to its report.
struct PolicyInspection {
  std::string problem{};          // of its podPicker or ranking; empty: none
  std::string ranking_problem{};  // of its ranking alone
  std::string rival{};            // the older policy for the same target; empty: none
  bool has_target = false;        // its target exists
  // A policy for a ReplicaSet of the target, which takes precedence there; empty: none.
  std::string closer{};
};
[[nodiscard]] PolicyInspection inspect_policy(const Policy& policy, const Store& store);

// Which conditions a process writes. The ReplicaSet controller and the ranker may be separate
// processes, and each writes only its own.
struct PolicyRoles {
  // Ready, Conflicting, TargetFound and PickerReachable, the last decision, and shadow.
  bool decides = true;
  bool ranks = false;  // Ranked and CostContested
  // It acts on ReplicaSets, so it needs a guard (sole_controller.h). A process that only watches
  // reports each of its findings once, so that it does not contend with one that acts.
  bool acts = true;
};

// status.shadow of a policy; zeros if it has none.
[[nodiscard]] PolicyReports::Shadow shadow_counts(const Policy& policy);

// The policy with its new status, ready to be written; nothing if the status is unchanged. Without
// a report, the conditions that an earlier process wrote stay.
[[nodiscard]] std::optional<boost::json::object> with_new_status(
    const Policy& policy, const PolicyInspection& inspection, const PolicyReports::Report* report,
    PolicyRoles roles, Timestamp now);

}  // namespace ebb::control
