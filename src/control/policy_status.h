// The status of a DownscalePolicy: whether it makes sense, whether its target exists and another
// one counts in its place, how its picker has answered, and what was ranked. Conditions of others
// stay as they are.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/policy_reports.h"
#include "control/store.h"

namespace ebb::control {

// What is known about a policy beside its report.
struct PolicyFindings {
  std::string problem{};          // of its podPicker or ranking; empty: none
  std::string ranking_problem{};  // of its ranking alone
  std::string rival{};            // the older policy for the same target; empty: none
  bool has_target = false;        // what it is for exists
  // A policy for a ReplicaSet of its target, which comes before it there; empty: none.
  std::string closer{};
};
[[nodiscard]] PolicyFindings look_at_policy(const Policy& policy, const Store& store);

// Whose conditions a process writes. A ReplicaSet controller and a ranker may be processes of their
// own, and each says only what it knows best.
struct PolicyVoices {
  bool decides =
      true;            // Ready, Conflicting, TargetFound and PickerReachable, and the last decision
  bool ranks = false;  // Ranked
};

// The policy with its new status, ready to be written; nothing if it has that status already.
// A report that is not there changes nothing: what a process before this one has written stays.
[[nodiscard]] std::optional<boost::json::object> with_new_status(
    const Policy& policy, const PolicyFindings& findings, const PolicyReports::Report* report,
    PolicyVoices voices, Timestamp now);

}  // namespace ebb::control
