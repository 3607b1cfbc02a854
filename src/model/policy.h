// Objects of ebb.dev/v1alpha1.
#pragma once

#include <cstdint>
#include <vector>

#include "base/timestamp.h"
#include "model/pool.h"

namespace ebb::model {

// How a workload wants to be scaled down. What the picker and ranking sections
// contain is read by the components that act on them; of the latter the text is kept.
struct DownscalePolicy {
  Interned name;
  Interned name_space;
  Interned uid;
  Timestamp created;
  std::uint64_t revision_seen = 0;  // its resourceVersion; 0 if that is no number
  std::int64_t generation = 0;
  Interned target_kind;
  Interned target_name;
  bool has_picker = false;
  bool has_ranking = false;
  Interned ranking;  // spec.ranking as JSON
};

// Ranks for the pods of one group; a higher cost goes sooner.
struct PodGroupCost {
  struct Entry {
    Interned pod;
    std::int32_t cost = 0;
  };

  Interned name;
  Interned name_space;
  Interned owner_kind;
  Interned owner_name;
  Interned owner_uid;  // empty: any object of that kind and name
  std::vector<Entry> costs;
  std::uint64_t revision_seen = 0;
  std::int64_t generation = 0;
  // Of its status: what the ranks were worked out for, and of which generation it speaks.
  Interned pod_set_hash;
  std::int64_t observed_generation = 0;
  // After each removal all ranks have to be worked out anew.
  bool recompute = false;
};

}  // namespace ebb::model
