#include "control/ranking_choice.h"

#include <string_view>
#include <utility>

#include "control/picker_choice.h"
#include "control/policy_section.h"

namespace ebb::control {
namespace {

constexpr std::string_view kWhere = "spec.ranking";

Result<ranking::Settings> read_settings(const Policy& policy) {
  auto value = parse_section(section_text(policy, "ranking"), kWhere);
  if (!value) return propagate(value);
  return ranking::decode_settings(*value, kWhere);
}

}  // namespace

std::string ranking_problem(const Policy& policy) {
  auto settings = read_settings(policy);
  return settings ? std::string() : std::move(settings.error().message);
}

std::optional<RankingChoice> choose_ranking(const ReplicaSet& set, const Store& store) {
  const Policy* const policy = policy_for(set, store);
  if (policy == nullptr || !policy->has_ranking) return std::nullopt;
  RankingChoice choice{.policy = std::string(policy->name.view())};
  auto settings = read_settings(*policy);
  if (settings) {
    choice.settings = std::make_shared<const ranking::Settings>(std::move(*settings));
  } else {
    choice.problem = std::move(settings.error().message);
  }
  return choice;
}

}  // namespace ebb::control
