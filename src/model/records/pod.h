// The compact pod record: the fields that decisions read, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/timestamp.h"
#include "model/records/placement.h"
#include "model/records/pool.h"

namespace ebb::model {

inline constexpr std::string_view kDeletionCostAnnotation =
    "controller.kubernetes.io/pod-deletion-cost";
inline constexpr std::string_view kCostRankAnnotation = "scheduling.alpha.kubernetes.io/cost";
// The value that ebb published and where, `PodDeletionCost=-3`. If it equals the pod's value, ebb
// wrote that value.
inline constexpr std::string_view kPublishedCostAnnotation = "ebb.dev/published-cost";
inline constexpr std::string_view kPreferForScaleDownLabel = "kubernetes.io/prefer-for-scale-down";

enum class Phase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown, kOther };

[[nodiscard]] constexpr std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::kPending:
      return "Pending";
    case Phase::kRunning:
      return "Running";
    case Phase::kSucceeded:
      return "Succeeded";
    case Phase::kFailed:
      return "Failed";
    case Phase::kUnknown:
      return "Unknown";
    case Phase::kOther:
      break;
  }
  return "unset";
}

struct Pod {
  Interned name;
  Interned namespace_name;
  Interned uid;
  Interned node;  // empty: not assigned to a node
  const LabelSet* labels = nullptr;
  const ControllerRef* controller = nullptr;  // null: an orphan
  const Placement* placement = nullptr;       // null: no constraints
  const LabelSet* numbers = nullptr;          // integer annotations, and the one above
  // Written by `ebb webhook` (scale_down_mark.h); empty: absent, or not one of its own.
  Interned scale_down_mark;
  Interned previous_cost;
  Timestamp created;
  std::uint64_t revision = 0;         // its resourceVersion; 0 if not a number
  Timestamp ready_since;              // of the Ready condition; only meaningful while ready
  std::int32_t restarts = 0;          // maximum over its containers
  std::int32_t sidecar_restarts = 0;  // maximum over its restartable init containers
  // The value that ebb decides on: the one before the webhook's own, if the pod has a mark. An
  // invalid cost counts as 0.
  std::int32_t deletion_cost = 0;
  std::int32_t present_cost = 0;  // the annotation as it is, which stock controllers decide on
  std::optional<std::int32_t> annotated_rank;  // scheduling.alpha.kubernetes.io/cost
  std::optional<std::int32_t> status_rank;     // status.cost
  Phase phase = Phase::kOther;
  bool ready = false;
  bool deleting = false;  // has a deletionTimestamp
  bool prefer_for_scale_down = false;
  bool deletion_cost_set = false;    // there is such a value, valid or not
  bool deletion_cost_valid = false;  // and it is valid
  bool annotated_rank_set = false;   // the annotation is present, valid or not
  bool has_annotations = false;      // of any kind

  [[nodiscard]] bool finished() const {
    return phase == Phase::kSucceeded || phase == Phase::kFailed;
  }
  // Counts against replicas.
  [[nodiscard]] bool active() const { return !finished() && !deleting; }
  [[nodiscard]] bool terminating() const { return !finished() && deleting; }
  // Rules 1 to 3 of the removal order do not apply to it.
  [[nodiscard]] bool serving() const { return !node.empty() && phase == Phase::kRunning && ready; }
};

// The value of an annotation, if it is an integer; clamped to 32 bits.
[[nodiscard]] std::optional<std::int32_t> number_of(const Pod& pod, std::string_view annotation);

}  // namespace ebb::model
