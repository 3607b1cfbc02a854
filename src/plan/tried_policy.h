// A DownscalePolicy that is tried in a plan before it is applied.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/records/snapshot.h"
#include "model/records/target.h"
#include "ranking/settings.h"

namespace ebb::plan {

struct TriedPolicy {
  std::string name{};
  std::string namespace_name{};  // empty: that of the plan
  std::string target_group{};
  std::string target_kind{};
  std::string target_name{};
  bool has_picker = false;
  std::shared_ptr<const ranking::Settings> ranking{};  // null: it has none
  bool ignores_deletion_costs = false;

  [[nodiscard]] model::TargetRef target() const { return {target_group, target_kind, target_name}; }
};

// The only object in `source`, which must be a policy. An error says what was found instead, or
// what is wrong with its ranking.
[[nodiscard]] Result<TriedPolicy> try_policy(const model::Snapshot& read, std::string_view source);

// Whether the policy targets the ReplicaSet or its owner.
[[nodiscard]] bool is_for(const TriedPolicy& policy, const model::ReplicaSet& set);

}  // namespace ebb::plan
