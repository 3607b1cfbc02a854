// The compact pod record: the fields that decisions read, and nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/timestamp.h"
#include "model/placement.h"
#include "model/pool.h"

namespace ebb::model {

inline constexpr std::string_view kDeletionCostAnnotation =
    "controller.kubernetes.io/pod-deletion-cost";
inline constexpr std::string_view kCostRankAnnotation = "scheduling.alpha.kubernetes.io/cost";
// Which of our values stands where, `PodDeletionCost=-3`: where both are equal, it is ours.
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
  Interned name_space;
  Interned uid;
  Interned node;  // empty: not assigned to a node
  const LabelSet* labels = nullptr;
  const ControllerRef* controller = nullptr;  // null: an orphan
  const Placement* placement = nullptr;       // null: nothing is said
  const LabelSet* numbers = nullptr;          // whole numbers in annotations, and the one above
  Timestamp created;
  std::uint64_t revision = 0;         // its resourceVersion; 0 if that is no number
  Timestamp ready_since;              // of the Ready condition; only meaningful while ready
  std::int32_t restarts = 0;          // the highest of its containers
  std::int32_t sidecar_restarts = 0;  // the highest of its restartable init containers
  std::int32_t deletion_cost = 0;     // what is no valid cost counts as 0
  std::optional<std::int32_t> annotated_rank;  // scheduling.alpha.kubernetes.io/cost
  std::optional<std::int32_t> status_rank;     // status.cost
  Phase phase = Phase::kOther;
  bool ready = false;
  bool deleting = false;  // has a deletionTimestamp
  bool prefer_for_scale_down = false;
  bool deletion_cost_set = false;    // the annotation is there, valid or not
  bool deletion_cost_valid = false;  // and it is a cost
  bool annotated_rank_set = false;   // the annotation is there, a number or not

  [[nodiscard]] bool finished() const {
    return phase == Phase::kSucceeded || phase == Phase::kFailed;
  }
  // Counts against replicas.
  [[nodiscard]] bool active() const { return !finished() && !deleting; }
  [[nodiscard]] bool terminating() const { return !finished() && deleting; }
  // Rules 1 to 3 of the removal order leave it to the finer ones.
  [[nodiscard]] bool serving() const { return !node.empty() && phase == Phase::kRunning && ready; }
};

// What an annotation says, if it is there and a whole number; at most what 32 bits hold.
[[nodiscard]] std::optional<std::int32_t> number_of(const Pod& pod, std::string_view annotation);

}  // namespace ebb::model
