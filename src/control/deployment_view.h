// A Deployment and its ReplicaSets as one pass of the Deployment controller sees them: the
// documents, which are written back whole, and the numbers in them that decide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/work_queue.h"
#include "model/feature_gates.h"
#include "model/workload.h"

namespace ebb::control::deployments {

inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
inline constexpr std::string_view kRollbackTo = "deprecated.deployment.rollback.to";

struct SetView {
  boost::json::object object;
  std::string name;
  std::string uid;
  Timestamp created;
  std::int64_t generation = 0;
  bool deleting = false;
  std::int64_t replicas = 1;
  std::int64_t min_ready_seconds = 0;
  // Of its status.
  std::int64_t observed_generation = 0;
  std::int64_t status_replicas = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::optional<std::int64_t> terminating;
  // Of its annotations; a revision that is absent is 0, one that is no number nothing.
  std::optional<std::int64_t> desired;
  std::optional<std::int64_t> max;
  std::optional<std::int64_t> revision;
  // From the pods: one of its own is in no final phase.
  bool has_unfinished_pods = false;

  [[nodiscard]] bool active() const { return replicas > 0; }
  // What is available beyond the wanted number is about to go.
  [[nodiscard]] std::int64_t lasting_available() const {
    return available < replicas ? available : replicas;
  }
};
[[nodiscard]] SetView read_set(boost::json::object object);

struct DeploymentView {
  enum class Strategy : std::uint8_t { kRollingUpdate, kRecreate, kUnknown };

  boost::json::object object;
  Key key;
  std::string uid;
  std::int64_t generation = 0;
  bool deleting = false;
  bool selects_everything = false;
  bool paused = false;
  std::int64_t replicas = 1;
  std::int64_t min_ready_seconds = 0;
  Strategy strategy = Strategy::kRollingUpdate;
  std::int64_t surge = 0;        // pods that may be there beyond replicas
  std::int64_t unavailable = 0;  // of replicas, how many need not be available
  std::optional<std::int64_t> history_limit;
  std::optional<std::int64_t> progress_deadline_seconds;
  // Of its status.
  std::int64_t observed_generation = 0;
  std::int64_t status_replicas = 0;
  std::int64_t updated = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::optional<std::int64_t> collision_count;

  // How many pods there may be in the middle of a rollout.
  [[nodiscard]] std::int64_t allowed() const { return replicas + surge; }
};
[[nodiscard]] DeploymentView read_deployment(boost::json::object object);

struct Snapshot {
  DeploymentView deployment;
  std::vector<SetView> sets;  // those it controls, the oldest first
};

// By age, and by name if that is the same.
[[nodiscard]] bool older(const SetView& a, const SetView& b);

// The oldest ReplicaSet that has the Deployment's template; null if there is none.
[[nodiscard]] const SetView* find_new_set(const Snapshot& snapshot);
// All others.
[[nodiscard]] std::vector<const SetView*> old_sets(const Snapshot& snapshot, const SetView* fresh);

[[nodiscard]] std::string_view annotation(const boost::json::object& object, std::string_view key);
// As Go's ParseInt reads it.
[[nodiscard]] std::optional<std::int64_t> parse_number(std::string_view text);

}  // namespace ebb::control::deployments
