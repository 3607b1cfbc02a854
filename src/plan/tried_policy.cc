#include "plan/tried_policy.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "control/policy/ranking_choice.h"

namespace ebb::plan {

namespace {

// The decoder's default for a file without a namespace; such a policy is applied to the target's
// namespace.
constexpr std::string_view kUnnamedNamespace = "default";

}  // namespace

Result<TriedPolicy> try_policy(const model::Snapshot& read, std::string_view source) {
  if (read.policies.empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: contains no DownscalePolicy (ebb.dev/v1alpha1)", source));
  }
  if (read.policies.size() > 1) {
    std::vector<std::string_view> names;
    for (const model::DownscalePolicy& policy : read.policies) names.push_back(policy.name.view());
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: contains several policies ({}), but a plan can try only one",
                            source, fmt::join(names, ", ")));
  }
  const model::DownscalePolicy& policy = read.policies.front();
  TriedPolicy tried{.name = std::string(policy.name.view()),
                    .namespace_name = std::string(policy.namespace_name.view()),
                    .target_group = std::string(policy.target_group.view()),
                    .target_kind = std::string(policy.target_kind.view()),
                    .target_name = std::string(policy.target_name.view()),
                    .has_picker = policy.has_picker,
                    .ignores_deletion_costs = policy.ignores_deletion_costs};
  if (tried.namespace_name == kUnnamedNamespace) tried.namespace_name.clear();
  if (!policy.has_ranking) return tried;
  auto choice = control::read_ranking(policy);
  if (!choice.settings) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{}: {}", source, choice.problem));
  }
  tried.ranking = std::move(choice.settings);
  return tried;
}

bool is_for(const TriedPolicy& policy, const model::ReplicaSet& set) {
  const bool same_namespace =
      policy.namespace_name.empty() || policy.namespace_name == set.namespace_name.view();
  return same_namespace && model::concerns(policy.target(), set);
}

}  // namespace ebb::plan
