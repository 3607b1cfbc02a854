// Cleanup of a Deployment's old ReplicaSets, and rollback to one of them.
#pragma once  // private to its room

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "control/deployment/deployment_view.h"

namespace ebb::control::deployments {

// Old ReplicaSets beyond the limit, lowest revisions first. One that still has pods, or that its
// controller has not observed yet, is kept, and no other goes in its place.
[[nodiscard]] std::vector<const SetView*> surplus_history(const Snapshot& snapshot,
                                                          const SetView* fresh);

// The revision that the annotation asks to roll back to; 0 is the one before the latest.
[[nodiscard]] std::optional<std::int64_t> rollback_revision(const DeploymentView& deployment);

struct Rollback {
  boost::json::object deployment;  // as it should be written, without the annotation
  bool done = false;               // its template has changed
  std::string reason;              // of the event to record
  std::string message;
  std::string unread{};  // the ReplicaSet to roll back to, if it must be whole first
};
[[nodiscard]] Rollback roll_back(const Snapshot& snapshot, std::int64_t revision);

}  // namespace ebb::control::deployments
