#include "support/ranking_notes.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/ranking_rules.h"

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
        "publish must be PodGroupCost for strategies whose ranks have to be worked out anew after "
        "each removal, unless exact is true"}});
}

// What strategies and presets there are, with what they are for.
template <class Entries>
std::string described(std::string_view before, const Entries& entries) {
  std::string text(before);
  for (const auto& entry : entries) text += fmt::format(" {}: {}.", entry.name, entry.summary);
  return text;
}

std::string_view argument_summary(std::string_view name) {
  static std::map<std::string_view, std::string> summaries = [] {
    std::map<std::string_view, std::string> all;
    for (const schema::StrategyRules& strategy : schema::strategy_rules()) {
      for (const schema::RankingArg& arg : strategy.args) {
        std::string& text = all[arg.name];
        if (!text.empty()) text += ' ';
        text += fmt::format("Of {}: {}", strategy.name, arg.summary);
        if (!arg.by_default.empty()) text += fmt::format(" ({})", arg.by_default);
        text += '.';
      }
    }
    return all;
  }();
  return summaries[name];
}

}  // namespace

std::vector<Note> ranking_notes() {
  static const std::string kStrategyText = described("Which strategy.", schema::strategy_rules());
  static const std::string kPresetText =
      described("A named set of strategies.", schema::ranking_presets());
  constexpr std::string_view kKeySchema =
      R"("maxLength":317,"pattern":"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$")";
  return {
      {"RankingArgs", "", "What strategies want to know."},
      {"RankingArgs", "topologyKey", argument_summary("topologyKey"), std::string(kKeySchema)},
      {"RankingArgs", "count", argument_summary("count"), R"("enum":["all","hard","preferred"])"},
      {"RankingArgs", "label", argument_summary("label"), std::string(kKeySchema)},
      {"RankingArgs", "prices", argument_summary("prices"),
       fmt::format(R"("minProperties":1,"maxProperties":{})", schema::kMostPrices)},
      {"RankingArgs", "annotation", argument_summary("annotation"), std::string(kKeySchema)},
      {"RankingStrategy", "", "A way to rank pods: the higher the rank, the sooner a pod goes.",
       strategy_rules()},
      {"RankingStrategy", "name", kStrategyText},
      {"RankingStrategy", "weight", "What its ranks are multiplied by."},
      {"RankingStrategy", "threshold", "Ranks above this count as this."},
      {"RankingStrategy", "args", "What the strategy wants to know."},
      {"Ranking", "", "How pods are ranked in advance.", ranking_schema()},
      {"Ranking", "preset", kPresetText, R"("minLength":1)"},
      {"Ranking", "strategies", "Strategies, whose weighed ranks are added.",
       fmt::format(R"("maxItems":{})", schema::kMostStrategies)},
      {"Ranking", "exact", "Rank by removing one pod after the other in thought."},
      {"Ranking", "publish",
       "Where the ranks are written. PodGroupCost: an object beside the ReplicaSet. Annotation: "
       "scheduling.alpha.kubernetes.io/cost of pods. PodDeletionCost: the deletion cost of pods, "
       "which every ReplicaSet controller reads. StatusField: status.cost of pods, which only the "
       "API server of ebb up has; elsewhere such a policy is not acted on."},
      {"Ranking", "waitSeconds",
       "How long a scale-down waits for complete ranks. Unless it is given, it does not wait, or "
       "30 seconds where ranks have to be worked out anew after each removal."},
      {"Ranking", "duringRollouts",
       "Use ranks while another ReplicaSet of the Deployment has pods, too."},
  };
}

}  // namespace ebb::support
