// What a Deployment needs next, as a function of what is known about it.
//
// A pass of the controller asks, writes what it is told, puts the answers into the snapshot and
// asks again, until a step finishes it. Sizes are changed at most once in a pass: what follows
// is the status, and then the ReplicaSets' own controllers have to act.
//
// Every write can be repeated: what replaces something carries the resourceVersion it was made
// from, what creates has a name that follows from the template, what deletes carries uid and
// resourceVersion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/deployment_view.h"
#include "model/api.h"
#include "model/feature_gates.h"

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
    kPrepare,  // the new ReplicaSet's annotations, or what the Deployment says about it
    kCreate,
    kScale,
    kCleanUp,
    kFinish,  // nothing follows
  };

  Kind kind = Kind::kFinish;
  std::vector<Write> writes{};
  std::optional<Notice> notice{};  // told in any case
  // Only the status is left to be written, the plain one or that of a rollout.
  bool plain = false;
  std::optional<Nanoseconds> look_again_ns{};
  std::string problem{};  // why nothing can be done
};

// What this pass has done so far.
struct Done {
  bool copied_picker = false;
  bool created = false;
  bool scaled = false;
  bool scaled_plainly = false;
  bool cleaned_up = false;
};

struct Setting {
  Timestamp now;  // on the wall
  model::FeatureGates gates;
};

[[nodiscard]] Step next_step(const Snapshot& snapshot, const Done& done, const Setting& setting);

// What to do when the new ReplicaSet could not be made: its name is taken by another one, or the
// API server does not want it.
[[nodiscard]] Step count_collision(const Snapshot& snapshot);
[[nodiscard]] Step report_refusal(const Snapshot& snapshot, std::string_view set_name,
                                  std::string_view why, const Setting& setting);

}  // namespace ebb::control::deployments
