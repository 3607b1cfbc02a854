// The next step that a Deployment needs, as a pure function of what is known about it.
//
// A sync asks for a step, sends its writes, puts the answers into the snapshot and asks again,
// until a step finishes it. A sync changes sizes at most once: after that it writes the status, and
// then the ReplicaSets' own controllers have to act.
//
// Every write is repeatable: a replacement carries the resourceVersion that it was made from, a new
// object has a name derived from the template, and a delete carries uid and resourceVersion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/deployment/deployment_view.h"
#include "model/api/api.h"
#include "model/records/feature_gates.h"

namespace ebb::control::deployments {

// An event on the Deployment.
struct Notice {
  bool warning = false;
  std::string reason{};
  std::string message{};
};

struct Write {
  enum class What : std::uint8_t { kCreateSet, kReplaceSet, kDeleteSet, kReplaceDeployment };

  What what = What::kReplaceSet;
  std::string name{};  // of the ReplicaSet
  model::ApiRequest request{};
  std::optional<Notice> once_done{};
};

struct Step {
  enum class Kind : std::uint8_t {
    kCopyPicker,
    kPrepare,  // the new ReplicaSet's annotations, or the Deployment's conditions about it
    kCreate,
    kScale,
    kCleanUp,
    kFinish,  // nothing follows
  };

  Kind kind = Kind::kFinish;
  std::vector<Write> writes{};
  std::optional<Notice> notice{};  // recorded in any case
  // Only the status remains to be written: the plain one, or that of a rollout.
  bool plain = false;
  std::optional<Nanoseconds> requeue_after_ns{};
  std::string problem{};  // why nothing can be done
  bool partial = false;   // another sync has to write the rest
  // ReplicaSets that must be whole before this can be decided. If there are any, nothing else here
  // counts.
  std::vector<std::string> unread{};
};

// What this sync has done so far.
struct Done {
  bool copied_picker = false;
  bool created = false;
  bool scaled = false;
  bool scaled_plainly = false;
  bool cleaned_up = false;
};

struct SyncContext {
  Timestamp now;  // on the wall clock
  model::FeatureGates gates;
};

// ReplicaSets of about this size in all are written back in one step: parsing and serializing more
// would take too long for one turn.
inline constexpr std::size_t kMaxBytesPerStep = 8 << 20;

[[nodiscard]] Step next_step(const Snapshot& snapshot, const Done& done,
                             const SyncContext& context);

// What to do when the new ReplicaSet could not be created: its name is taken by another one, or the
// API server refuses it.
[[nodiscard]] Step count_collision(const Snapshot& snapshot);
[[nodiscard]] Step report_refusal(const Snapshot& snapshot, std::string_view set_name,
                                  std::string_view why, const SyncContext& context);

}  // namespace ebb::control::deployments
