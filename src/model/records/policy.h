// Objects of ebb.dev/v1alpha1.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/timestamp.h"
#include "model/records/pool.h"

namespace ebb::model {

// How a workload is scaled down. The picker and ranking sections are decoded by the components that
// use them; the ranking section is kept as text.
struct DownscalePolicy {
  Interned name;
  Interned namespace_name;
  Interned uid;
  Timestamp created;
  std::uint64_t revision_seen = 0;  // its resourceVersion; 0 if not a number
  std::int64_t generation = 0;
  Interned target_group;  // of spec.targetRef.apiVersion; empty: the core group
  Interned target_kind;
  Interned target_name;
  bool has_picker = false;
  bool has_ranking = false;
  Interned ranking;  // spec.ranking as JSON
  // spec.deletionCost: costs that other programs wrote do not count.
  bool ignores_deletion_costs = false;
  // spec.mode: its choices are recorded, and the default order acts.
  bool shadow = false;
};

// Whether `a` counts and `b` does not, if both have the same target: the older one does.
[[nodiscard]] inline bool comes_before(const DownscalePolicy& a, const DownscalePolicy& b) {
  return std::tuple(a.created, a.name.view()) < std::tuple(b.created, b.name.view());
}

// Ranks for the pods of one group; a higher cost goes sooner.
struct PodGroupCost {
  struct Entry {
    Interned pod;
    std::int32_t cost = 0;
  };

  Interned name;
  Interned namespace_name;
  Interned owner_kind;
  Interned owner_name;
  Interned owner_uid;        // empty: any object of that kind and name
  std::vector<Entry> costs;  // sorted by the names of the pods, each at most once
  std::uint64_t revision_seen = 0;
  std::int64_t generation = 0;
  // From its status: the pods that the ranks were computed for, and the generation it describes.
  Interned pod_set_hash;
  std::int64_t observed_generation = 0;
  // All ranks must be recomputed after each removal.
  bool recompute = false;
};

// A DownscaleDecision, as far as its metadata describes it: enough to decide which ones to keep.
struct DownscaleDecision {
  Interned name;
  Interned namespace_name;
  Interned uid;
  Timestamp created;
  std::uint64_t revision_seen = 0;
  bool deleting = false;
  // The workload, by the labels ebb.dev/workload-kind and ebb.dev/workload; empty if absent.
  Interned workload_kind;
  Interned workload;
};

inline constexpr std::string_view kDecisionWorkloadKindLabel = "ebb.dev/workload-kind";
inline constexpr std::string_view kDecisionWorkloadLabel = "ebb.dev/workload";

}  // namespace ebb::model
