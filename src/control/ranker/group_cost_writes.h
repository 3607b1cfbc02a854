// The requests with which the ranker writes PodGroupCosts: one per ReplicaSet, with its name and
// owned by it, for all pods at once. The spec is written first; then the status says which pods it
// was computed for, and is valid for that generation of the spec only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "control/cache/store.h"
#include "control/core/call.h"
#include "model/api/api.h"

namespace ebb::control {

// The ranker created it, according to its label.
[[nodiscard]] bool is_rankers(const GroupCost& cost);

// By pod name; nothing: the pod is removed from the list.
using CostChanges = std::map<std::string, std::optional<std::int32_t>>;

struct GroupCostStatus {
  std::string pod_set_hash{};
  bool recompute = false;
  std::int64_t generation = 0;  // of the spec that it describes

  friend bool operator==(const GroupCostStatus&, const GroupCostStatus&) = default;
};

[[nodiscard]] model::ApiRequest create_group_cost(const ReplicaSet& set, const CostChanges& costs);
[[nodiscard]] model::ApiRequest patch_group_cost(const GroupCost& cost, const CostChanges& changes);
// For the object of this name at this revision, if that is known (not 0). A uid in a status write
// is no precondition: the API server replaces it, so another object's status would be written.
[[nodiscard]] model::ApiRequest patch_group_cost_status(std::string_view namespace_name,
                                                        std::string_view name,
                                                        model::Revision revision,
                                                        const GroupCostStatus& status);
[[nodiscard]] model::ApiRequest delete_group_cost(const GroupCost& cost);

// The generation of the object in an answer; 0 if it has none.
[[nodiscard]] std::int64_t generation_of(const Answer& answer);

}  // namespace ebb::control
