#include "support/objects/ranking_extras.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/core/ranking_rules.h"

namespace ebb::support {
namespace {

// Which strategies have an argument, and how many arguments a strategy needs.
std::string strategy_rules() {
  std::map<std::string_view, std::vector<std::string_view>> users;
  std::vector<std::pair<std::string, std::string>> all;
  for (const schema::StrategyRules& strategy : schema::strategy_rules()) {
    for (const schema::RankingArg& arg : strategy.args) users[arg.name].push_back(strategy.name);
  }
  for (const auto& [arg, names] : users) {
    all.emplace_back(fmt::format("!has(self.args) || !has(self.args.{}) || self.name in ['{}']",
                                 arg, fmt::join(names, "', '")),
                     fmt::format("{} is for {}", arg, fmt::join(names, " and ")));
  }
  for (const schema::StrategyRules& strategy : schema::strategy_rules()) {
    if (strategy.needs == schema::StrategyRules::Needs::kNothing) continue;
    const bool one = strategy.needs == schema::StrategyRules::Needs::kExactlyOne;
    const std::string_view first = strategy.args[0].name;
    const std::string_view second = strategy.args[1].name;
    all.emplace_back(fmt::format("self.name != '{}' || (has(self.args) && (has(self.args.{}) {} "
                                 "has(self.args.{})))",
                                 strategy.name, first, one ? "!=" : "||", second),
                     fmt::format("{} needs {}{} {} {}", strategy.name, one ? "exactly one of " : "",
                                 first, one ? "and" : "or", second));
  }
  return rules(all);
}

std::string recomputing_strategies() {
  std::vector<std::string_view> names;
  for (const schema::StrategyRules& strategy : schema::strategy_rules()) {
    if (strategy.recomputes) names.push_back(strategy.name);
  }
  return fmt::format("{}", fmt::join(names, "', '"));
}

std::string ranking_schema() {
  return rules(
      {{"has(self.preset) != (has(self.strategies) && size(self.strategies) > 0)",
        "exactly one of preset and strategies must be given"},
       {fmt::format("self.publish == 'PodGroupCost' || self.exact || !has(self.strategies) || "
                    "!self.strategies.exists(strategy, strategy.name in ['{}'])",
                    recomputing_strategies()),
        "publish must be PodGroupCost for strategies whose ranks must be recomputed after "
        "each removal, unless exact is true"}});
}

}  // namespace

std::vector<Extra> ranking_extras() {
  constexpr std::string_view kKeySchema =
      R"("maxLength":317,"pattern":"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$")";
  return {
      {"RankingArgs", "topologyKey", std::string(kKeySchema)},
      {"RankingArgs", "count", R"("enum":["all","hard","preferred"])"},
      {"RankingArgs", "label", std::string(kKeySchema)},
      {"RankingArgs", "prices",
       fmt::format(R"("minProperties":1,"maxProperties":{})", schema::kMaxPrices)},
      {"RankingArgs", "annotation", std::string(kKeySchema)},
      {"RankingStrategy", "", strategy_rules()},
      {"Ranking", "", ranking_schema()},
      {"Ranking", "preset", R"("minLength":1)"},
      {"Ranking", "strategies", fmt::format(R"("maxItems":{})", schema::kMaxStrategies)},
  };
}

}  // namespace ebb::support
