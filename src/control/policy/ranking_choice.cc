#include "control/policy/ranking_choice.h"

#include <string_view>
#include <utility>

#include "control/policy/picker_choice.h"
#include "control/policy/policy_section.h"

namespace ebb::control {
namespace {

constexpr std::string_view kWhere = "spec.ranking";

Result<ranking::Settings> read_settings(std::string_view text) {
  EBB_ASSIGN_OR_RETURN(auto value, parse_section(text, kWhere));
  return ranking::decode_settings(value, kWhere);
}

}  // namespace

RankingChoice read_ranking(const model::DownscalePolicy& policy) {
  RankingChoice choice{.policy = std::string(policy.name.view())};
  auto settings = read_settings(policy.ranking.view());
  if (settings) {
    choice.settings = std::make_shared<const ranking::Settings>(std::move(*settings));
  } else {
    choice.problem = std::move(settings.error().message);
  }
  return choice;
}

std::string ranking_problem(const Policy& policy) { return read_ranking(policy).problem; }

std::optional<RankingChoice> choose_ranking(const ReplicaSet& set, const Store& store,
                                            PolicyView view) {
  const Policy* const policy = policy_for(set, store, view);
  if (policy == nullptr || !policy->has_ranking) return std::nullopt;
  return read_ranking(*policy);
}

}  // namespace ebb::control
