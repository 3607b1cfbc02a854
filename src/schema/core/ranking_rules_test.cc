#include "schema/core/ranking_rules.h"

#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/core/object_schema.h"

namespace ebb::schema {
namespace {

std::string problem_of(std::string_view strategy, std::string_view args) {
  const auto problem = check_args(*find_strategy_rules(strategy), json::parse(args).as_object());
  return problem ? fmt::format("{}: {}", problem->field, problem->message) : "";
}

constexpr std::string_view kKeyProblem =
    "must be the key of a label or annotation, such as topology.kubernetes.io/zone";

TEST(RankingRules, AcceptArgumentsThatMakeSense) {
  const std::pair<const char*, const char*> cases[] = {
      {"TopologySpread", "{}"},
      {"TopologySpread", R"({"topologyKey":null})"},
      {"TopologySpread", R"({"topologyKey":"kubernetes.io/hostname"})"},
      {"UntoleratedTaints", R"({"count":"hard"})"},
      {"AntiAffinity", "{}"},
      {"NodeCost", R"({"label":"shop/price"})"},
      {"NodeCost", R"({"prices":{"m5.large":0.096,"":0,"big":18446744073709551615}})"},
      {"NodeCost", R"({"label":"tier","prices":{"spot":1}})"},
      {"Weight", R"({"label":"weight"})"},
      {"Weight", R"({"annotation":"shop/weight","label":null})"},
  };
  for (const auto& [strategy, args] : cases) EXPECT_EQ(problem_of(strategy, args), "") << args;
}

TEST(RankingRules, SayWhichArgumentIsWrongAndWhatWouldBeRight) {
  const struct {
    const char* strategy;
    const char* args;
    std::string problem;
  } cases[] = {
      {"TopologySpread", R"({"topologyKey":""})", fmt::format("topologyKey: {}", kKeyProblem)},
      {"TopologySpread", R"({"topologyKey":7})", fmt::format("topologyKey: {}", kKeyProblem)},
      {"TopologySpread", R"({"topologyKey":"a b"})", fmt::format("topologyKey: {}", kKeyProblem)},
      {"TopologySpread", R"({"zone":"a"})", ": must contain only topologyKey for TopologySpread"},
      {"Youngest", R"({"a":null})", ": must be empty for Youngest"},
      {"UntoleratedTaints", R"({"count":"all hard"})", "count: must be one of: all hard preferred"},
      {"UntoleratedTaints", R"({"count":""})", "count: must be one of: all hard preferred"},
      {"NodeCost", "{}", ": must have label or prices"},
      {"NodeCost", R"({"label":null})", ": must have label or prices"},
      {"NodeCost", R"({"prices":[]})", "prices: must be a map from values of the label to prices"},
      {"NodeCost", R"({"prices":{}})", "prices: must have between 1 and 1024 entries"},
      {"NodeCost", R"({"prices":{"a":"1"}})", "prices: values must be numbers of 0 or more"},
      {"NodeCost", R"({"prices":{"a":-0.5}})", "prices: values must be numbers of 0 or more"},
      {"NodeCost", R"({"prices":{"a b":1}})", "prices: keys must be valid label values"},
      {"Weight", "{}", ": must have exactly one of label and annotation"},
      {"Weight", R"({"label":"a","annotation":"b"})",
       ": must have exactly one of label and annotation"},
  };
  for (const auto& c : cases) EXPECT_EQ(problem_of(c.strategy, c.args), c.problem) << c.args;
}

TEST(RankingRules, BoundHowManyPricesThereAre) {
  json::object prices;
  for (std::size_t i = 0; i < kMaxPrices; ++i) prices[fmt::format("v{}", i)] = i;
  const StrategyRules& rules = *find_strategy_rules("NodeCost");
  EXPECT_FALSE(check_args(rules, {{"prices", prices}}).has_value());
  prices["more"] = 1;
  EXPECT_TRUE(check_args(rules, {{"prices", prices}}).has_value());
}

TEST(RankingRules, FillInDefaultsAndLeaveNoNulls) {
  const auto complete = [](std::string_view strategy, const char* args) {
    return complete_args(*find_strategy_rules(strategy), json::parse(args).as_object());
  };
  EXPECT_EQ(complete("TopologySpread", R"({"topologyKey":null})"),
            (json::object{{"topologyKey", "topology.kubernetes.io/zone"}}));
  EXPECT_EQ(complete("TopologySpread", R"({"topologyKey":"rack"})"),
            (json::object{{"topologyKey", "rack"}}));
  EXPECT_EQ(complete("UntoleratedTaints", "{}"), (json::object{{"count", "all"}}));
  EXPECT_EQ(complete("NodeCost", R"({"prices":{"a":1}})"),
            (json::object{{"label", "node.kubernetes.io/instance-type"}, {"prices", {{"a", 1}}}}));
  EXPECT_EQ(complete("Weight", R"({"annotation":"a"})"), (json::object{{"annotation", "a"}}));
  EXPECT_EQ(complete("Pack", "{}"), json::object());
}

// The table of fields repeats the names, because it is made at compile time.
TEST(RankingRules, AreWhatTheTableOfFieldsSays) {
  std::set<std::string_view> strategies;
  std::set<std::string_view> presets;
  std::set<std::string_view> args;
  for (const StrategyRules& rules : strategy_rules()) {
    strategies.insert(rules.name);
    for (const RankingArg& arg : rules.args) args.insert(arg.name);
  }
  for (const RankingPreset& preset : ranking_presets()) presets.insert(preset.name);
  EXPECT_EQ(fmt::format("{}", fmt::join(strategies, " ")), kStrategyNames);
  EXPECT_EQ(fmt::format("{}", fmt::join(presets, " ")), kPresetNames);
  const ObjectSchema* schema = find_kind("ebb.dev/v1alpha1", "DownscalePolicy")->schema;
  for (const char* step : {"spec", "ranking", "strategies", "args"})
    schema = schema->find(step)->schema;
  std::set<std::string_view> fields;
  for (const Field& field : schema->fields) fields.insert(field.name);
  EXPECT_EQ(fields, args);
}

TEST(RankingPresets, AreStrategiesThatFollowTheRules) {
  for (const RankingPreset& preset : ranking_presets()) {
    EXPECT_EQ(find_ranking_preset(preset.name), &preset);
    const json::value strategies = json::parse(preset.strategies);
    for (const json::value& strategy : strategies.as_array()) {
      const StrategyRules* rules = find_strategy_rules(text_at(strategy.as_object(), {"name"}));
      ASSERT_NE(rules, nullptr) << preset.name;
      EXPECT_FALSE(rules->recomputes) << preset.name;
      const json::object* args = object_at(strategy.as_object(), {"args"});
      EXPECT_FALSE(check_args(*rules, args == nullptr ? json::object() : *args)) << preset.name;
    }
  }
  EXPECT_EQ(find_ranking_preset(""), nullptr);
  EXPECT_EQ(find_strategy_rules("topologyspread"), nullptr);
}

}  // namespace
}  // namespace ebb::schema
