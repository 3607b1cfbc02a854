// How the ranker writes PodGroupCosts: one per ReplicaSet, called like it and owned by it, all
// pods at once. First the spec; then the status says which pods it was worked out for, and
// counts for that generation of the spec alone.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "control/call.h"
#include "control/store.h"
#include "model/api.h"

namespace ebb::control {

// The ranker made it: its label says so.
[[nodiscard]] bool is_rankers(const GroupCost& cost);

// By name; nothing: the pod is not to be mentioned any more.
using CostChanges = std::map<std::string, std::optional<std::int32_t>>;

struct GroupCostStatus {
  std::string pod_set_hash{};
  bool recompute = false;
  std::int64_t generation = 0;  // of the spec that it speaks of

  friend bool operator==(const GroupCostStatus&, const GroupCostStatus&) = default;
};

[[nodiscard]] model::ApiRequest create_group_cost(const ReplicaSet& set, const CostChanges& costs);
[[nodiscard]] model::ApiRequest patch_group_cost(const GroupCost& cost, const CostChanges& changes);
// Of the one of this name that is at this revision, if that is known (not 0). Who writes a status
// may name any uid: the API server puts the right one in its place, and so another's status would
// be written.
[[nodiscard]] model::ApiRequest patch_group_cost_status(std::string_view name_space,
                                                        std::string_view name,
                                                        model::Revision revision,
                                                        const GroupCostStatus& status);
[[nodiscard]] model::ApiRequest delete_group_cost(const GroupCost& cost);

// The generation of the object in an answer; 0 if it has none.
[[nodiscard]] std::int64_t generation_of(const Answer& answer);

}  // namespace ebb::control
