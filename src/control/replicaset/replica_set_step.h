// The next step that a ReplicaSet needs, as a function of what is known about it: nothing is sent
// or looked up here.
//
// A sync takes a snapshot, asks for a step, sends its calls, enters the answers into its progress
// (replica_set_answers.h) and asks again, until a step has no calls. It adopts and releases pods;
// then it creates missing pods or deletes surplus ones, unless earlier writes are not visible yet,
// or ranks or a picker's answer are awaited; then it writes the status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "base/now.h"
#include "control/cache/store.h"
#include "control/controller/pending_calls.h"
#include "control/controller/process_settings.h"
#include "control/core/decision.h"
#include "control/core/work_budget.h"
#include "control/core/work_queue.h"
#include "control/replicaset/replica_set_snapshot.h"
#include "control/replicaset/replica_set_state.h"
#include "control/replicaset/replica_set_status.h"
#include "control/replicaset/slow_start.h"
#include "control/scaledown/scale_down.h"
#include "model/api/api.h"
#include "model/records/feature_gates.h"

namespace ebb::control::replicasets {

// What a sync has learnt and done so far.
struct Progress {
  enum class Stage : std::uint8_t { kClaiming, kManaging, kCreating, kDeleting, kReporting };
  enum class Owner : std::uint8_t { kNotRead, kMayAdopt, kMustNot };

  struct Creation {
    SlowStart slow_start{0};
    model::ApiRequest request{};  // the same for all pods
  };
  struct Removal {
    Decision decision{};
    std::string policy{};  // the policy whose picker influenced the decision
    bool breaker_open = false;
  };

  Stage stage = Stage::kClaiming;
  bool may_manage = false;  // the effects of all earlier writes are visible
  Owner owner = Owner::kNotRead;
  Uids adopted{};
  Uids patched{};  // pods to adopt or to release, whatever the answers
  std::optional<std::string> claim_error{};
  StatusCounts counts{};  // before anything was created or deleted
  Creation creation{};
  Removal removal{};
  Timestamp ranks_due{};                   // when the wait for ranks ends, if there is one
  std::optional<ConditionText> failure{};  // the first create or delete that failed
  boost::json::object status{};            // being written
  bool status_retried = false;

  // Later stages need only the ReplicaSet.
  [[nodiscard]] bool needs_pods() const { return stage <= Stage::kManaging; }
};

struct PlannedCall {
  Call::Kind kind = Call::Kind::kWrite;
  model::ApiRequest request{};
  PendingCall pending{};
};

struct Step {
  enum class Kind : std::uint8_t {
    kReadOwner,  // adopting needs a live read
    kClaim,
    kCreate,
    kScaleDown,  // no calls yet: ranks and a picker have a say, and then delete_pods() follows
    kDelete,
    kWriteStatus,
    kReadForStatus,  // the cached ReplicaSet may be out of date
    kFinish,         // nothing follows
  };

  Kind kind = Kind::kFinish;
  std::vector<PlannedCall> calls{};
  std::size_t surplus = 0;             // kScaleDown: how many pods may go
  bool ends_scale_down = false;        // no picker's answer is needed any more
  std::optional<std::string> error{};  // kFinish: why the sync has to be retried
};

struct SyncContext {
  const Key& key;
  const std::string& uid;
  ReplicaSetState& state;
  const Store& store;
  const Safeguards& safeguards;
  WorkBudget& budget;
  Now now;
  model::FeatureGates gates{};
  bool protobuf = false;  // create pods in protobuf
  bool stopping = false;  // nothing new starts
};

// Advances `progress`, and the state of the ReplicaSet as the step requires.
[[nodiscard]] Step next_step(const Snapshot& snapshot, Progress& progress,
                             const SyncContext& context);

// Follows kScaleDown, once it is decided which pods go.
[[nodiscard]] Step delete_pods(ScaleDown down, Progress& progress, const SyncContext& context);

// Steps that an answer leads to (replica_set_answers.h).
[[nodiscard]] Step read_live(Step::Kind kind, const Key& key);
[[nodiscard]] Step write_status(boost::json::object object, const Key& key);
[[nodiscard]] Step finish(const Progress& progress);

// After a sync without error: when to sync again without a change, if needed.
[[nodiscard]] std::optional<Nanoseconds> requeue_after_ns(const Progress& progress, Now now);

}  // namespace ebb::control::replicasets
