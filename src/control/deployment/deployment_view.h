// A Deployment and its ReplicaSets as one sync of the Deployment controller sees them: the
// documents, which are written back whole, and the numbers in them that decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/core/work_queue.h"
#include "model/records/feature_gates.h"
#include "model/records/workload.h"

namespace ebb::control::deployments {

inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";
inline constexpr std::string_view kRollbackTo = "deprecated.deployment.rollback.to";

// Reading one document takes some 50 us, and more if it is large.
inline constexpr std::uint64_t kUnitsPerDocument = 500;

struct SetView {
  boost::json::object object;  // empty unless whole: it is read only if it is needed
  bool whole = true;
  std::uint64_t template_digest = 0;  // unless whole
  std::size_t bytes = 0;              // of the document
  std::string name;
  std::string uid;
  std::string resource_version;
  Timestamp created;
  std::int64_t generation = 0;
  bool deleting = false;
  std::int64_t replicas = 1;
  std::int64_t min_ready_seconds = 0;
  // From its status.
  std::int64_t observed_generation = 0;
  std::int64_t status_replicas = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::optional<std::int64_t> terminating;
  // From its annotations; a missing revision is 0, one that is not a number is nothing.
  std::optional<std::int64_t> desired;
  std::optional<std::int64_t> max;
  std::optional<std::int64_t> revision;
  // Parts of the document, shared between copies; null if absent.
  std::shared_ptr<const boost::json::object> picker;   // spec.downscalePodPicker
  std::shared_ptr<const boost::json::object> failure;  // the condition ReplicaFailure
  // From the pods: at least one of its pods is not in a final phase.
  bool has_unfinished_pods = false;

  [[nodiscard]] bool active() const { return replicas > 0; }
  // Available pods beyond the desired number are about to go.
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
  std::int64_t surge = 0;        // how many pods may exist beyond replicas
  std::int64_t unavailable = 0;  // how many of the replicas need not be available
  std::optional<std::int64_t> history_limit;
  std::optional<std::int64_t> progress_deadline_seconds;
  // From its status.
  std::int64_t observed_generation = 0;
  std::int64_t status_replicas = 0;
  std::int64_t updated = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::optional<std::int64_t> collision_count;

  // The maximum number of pods during a rollout.
  [[nodiscard]] std::int64_t allowed() const { return replicas + surge; }
};
[[nodiscard]] DeploymentView read_deployment(boost::json::object object);

struct Snapshot {
  DeploymentView deployment;
  std::vector<SetView> sets;  // the controlled ones, oldest first
};

// By age, then by name.
[[nodiscard]] bool older(const SetView& a, const SetView& b);

// The oldest ReplicaSet that has the Deployment's template; null if there is none. Those that are
// not whole do not have it.
[[nodiscard]] const SetView* find_new_set(const Snapshot& snapshot);
// All others.
[[nodiscard]] std::vector<const SetView*> old_sets(const Snapshot& snapshot, const SetView* fresh);

[[nodiscard]] std::string_view annotation(const boost::json::object& object, std::string_view key);
// Accepts the same texts as Go's ParseInt.
[[nodiscard]] std::optional<std::int64_t> parse_number(std::string_view text);

}  // namespace ebb::control::deployments
