// A DownscalePolicy that is tried in a plan before it is applied.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/snapshot.h"
#include "ranking/settings.h"

namespace ebb::plan {

struct TriedPolicy {
  std::string name{};
  std::string name_space{};  // empty: that of the plan
  std::string target_kind{};
  std::string target_name{};
  bool has_picker = false;
  std::shared_ptr<const ranking::Settings> ranking{};  // null: it has none
};

// The one policy that has been read from `source`, and nothing else. An error says what there is
// instead, or what is wrong with its ranking.
[[nodiscard]] Result<TriedPolicy> try_policy(const model::Snapshot& read, std::string_view source);

// Whether it is for the ReplicaSet, itself or as one of its Deployment.
[[nodiscard]] bool is_for(const TriedPolicy& policy, const model::ReplicaSet& set);

}  // namespace ebb::plan
