// Which old ReplicaSets a Deployment can do without, and how it goes back to one that it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "control/deployment_view.h"

namespace ebb::control::deployments {

// Beyond the limit, lowest revisions first. One that still has pods, or whose controller has not
// looked at it yet, is left alone, and no other goes in its place.
[[nodiscard]] std::vector<const SetView*> surplus_history(const Snapshot& snapshot,
                                                          const SetView* fresh);

// The revision that the annotation asks to go back to; 0 is the one before the latest.
[[nodiscard]] std::optional<std::int64_t> rollback_revision(const DeploymentView& deployment);

struct Rollback {
  boost::json::object deployment;  // as it should be written; the annotation is gone
  bool done = false;               // its template is another now
  std::string reason;              // of the event that tells
  std::string message;
};
[[nodiscard]] Rollback roll_back(const Snapshot& snapshot, std::int64_t revision);

}  // namespace ebb::control::deployments
