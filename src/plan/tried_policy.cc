#include "plan/tried_policy.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/ranking_choice.h"

namespace ebb::plan {

Result<TriedPolicy> try_policy(const model::Snapshot& read, std::string_view source) {
  if (read.policies.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: has no DownscalePolicy (ebb.dev/v1alpha1)", source));
  }
  if (read.policies.size() > 1) {
    std::vector<std::string_view> names;
    for (const model::DownscalePolicy& policy : read.policies) names.push_back(policy.name.view());
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: has several policies ({}), and a plan tries one", source,
                            fmt::join(names, ", ")));
  }
  const model::DownscalePolicy& policy = read.policies.front();
  TriedPolicy tried{.name = std::string(policy.name.view()),
                    .name_space = std::string(policy.name_space.view()),
                    .target_kind = std::string(policy.target_kind.view()),
                    .target_name = std::string(policy.target_name.view()),
                    .has_picker = policy.has_picker};
  if (!policy.has_ranking) return tried;
  auto choice = control::read_ranking(policy);
  if (!choice.settings) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{}: {}", source, choice.problem));
  }
  tried.ranking = std::move(choice.settings);
  return tried;
}

bool is_for(const TriedPolicy& policy, const model::ReplicaSet& set) {
  if (!policy.name_space.empty() && policy.name_space != set.name_space.view()) return false;
  if (policy.target_kind == "ReplicaSet") return policy.target_name == set.name.view();
  return set.controller != nullptr && policy.target_kind == set.controller->kind.view() &&
         policy.target_name == set.controller->name.view();
}

}  // namespace ebb::plan
