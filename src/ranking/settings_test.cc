#include "ranking/settings.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ranking/strategy.h"
#include "schema/core/ranking_rules.h"

namespace ebb::ranking {
namespace {

namespace json = boost::json;

Result<Settings> decode(std::string_view text) {
  return decode_settings(json::parse(text), "spec.ranking");
}

std::string error_of(std::string_view text) {
  const auto settings = decode(text);
  return settings ? "none" : settings.error().message;
}

// `TopologySpread*2<9 {"topologyKey":"zone"}`
std::string describe(const Settings& settings) {
  std::string all;
  for (const Weighed& weighed : settings.strategies) {
    all += fmt::format("{}*{}{} {};", weighed.strategy->name, weighed.weight,
                       weighed.threshold ? fmt::format("<{}", *weighed.threshold) : "",
                       json::serialize(weighed.args));
  }
  return all;
}

TEST(RankingSettings, ReadStrategiesWithTheirDefaults) {
  const auto settings = decode(R"({"strategies":[
      {"name":"TopologySpread","weight":2,"threshold":9},
      {"name":"UntoleratedTaints","args":{"count":"hard"}},
      {"name":"NodeCost","weight":0,"args":{"prices":{"a":0.5}}},
      {"name":"Weight","args":{"label":"w"},"threshold":null}]})");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(describe(*settings),
            "TopologySpread*2<9 {\"topologyKey\":\"topology.kubernetes.io/zone\"};"
            "UntoleratedTaints*1 {\"count\":\"hard\"};"
            "NodeCost*0 {\"label\":\"node.kubernetes.io/instance-type\",\"prices\":{\"a\":5E-1}};"
            "Weight*1 {\"label\":\"w\"};");
  EXPECT_FALSE(settings->exact);
  EXPECT_EQ(settings->publish, Publish::kPodGroupCost);
  EXPECT_EQ(settings->wait_seconds, std::nullopt);
  EXPECT_FALSE(settings->during_rollouts);
  EXPECT_FALSE(settings->recomputes());
}

TEST(RankingSettings, ReadTheRest) {
  const auto settings = decode(R"({"preset":"empty-nodes","exact":true,"publish":"PodDeletionCost",
                                   "waitSeconds":0,"duringRollouts":true})");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_TRUE(settings->exact);
  EXPECT_EQ(settings->publish, Publish::kPodDeletionCost);
  EXPECT_EQ(settings->wait_seconds, 0);
  EXPECT_TRUE(settings->during_rollouts);
}

TEST(RankingSettings, ExpandPresets) {
  const std::pair<const char*, const char*> cases[] = {
      {"keep-zones-balanced",
       "TopologySpread*1 {\"topologyKey\":\"topology.kubernetes.io/zone\"};"},
      {"empty-nodes", "NodeLeaving*1001 {};Pack*1 {};"},
      {"cheapest-first", "NodeCost*1 {\"label\":\"ebb.dev/price\"};"},
  };
  for (const auto& [preset, strategies] : cases) {
    const auto settings = decode(fmt::format(R"({{"preset":"{}","strategies":[]}})", preset));
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(describe(*settings), strategies);
  }
  EXPECT_EQ(std::size(cases), schema::ranking_presets().size());
}

TEST(RankingSettings, NameWhatIsWrongAndWhatWouldBeRight) {
  const std::pair<std::string, std::string_view> cases[] = {
      {"null", "spec.ranking: must have exactly one of preset and strategies"},
      {"7", "spec.ranking: must be an object"},
      {"{}", "spec.ranking: must have exactly one of preset and strategies"},
      {R"({"strategies":[]})", "spec.ranking: must have exactly one of preset and strategies"},
      {R"({"preset":"empty-nodes","strategies":[{"name":"Pack"}]})",
       "spec.ranking: must have exactly one of preset and strategies"},
      {R"({"preset":"zones"})",
       "spec.ranking.preset: must be one of: cheapest-first empty-nodes keep-zones-balanced"},
      {R"({"preset":7})", "spec.ranking.preset: must be a string"},
      {R"({"strategies":{}})", "spec.ranking.strategies: must be a list"},
      {R"({"strategies":["Pack"]})", "spec.ranking.strategies[0]: must be an object"},
      {R"({"strategies":[{"name":"Pack"},{"name":"pack"}]})",
       "spec.ranking.strategies[1].name: must be one of: AntiAffinity NodeCost NodeLeaving Oldest "
       "Pack TopologySpread UntoleratedTaints Weight Youngest"},
      {R"({"strategies":[{"name":"Pack","weight":-1}]})",
       "spec.ranking.strategies[0].weight: must be an integer between 0 and 1000000"},
      {R"({"strategies":[{"name":"Pack","weight":1000001}]})",
       "spec.ranking.strategies[0].weight: must be an integer between 0 and 1000000"},
      {R"({"strategies":[{"name":"Pack","threshold":-1}]})",
       "spec.ranking.strategies[0].threshold: must be an integer between 0 and 2147483647"},
      {R"({"strategies":[{"name":"Pack","args":[]}]})",
       "spec.ranking.strategies[0].args: must be an object"},
      {R"({"strategies":[{"name":"Pack","args":{"a":1}}]})",
       "spec.ranking.strategies[0].args: must be empty for Pack"},
      {R"({"strategies":[{"name":"UntoleratedTaints","args":{"count":"no"}}]})",
       "spec.ranking.strategies[0].args.count: must be one of: all hard preferred"},
      {R"({"preset":"empty-nodes","publish":"Letter"})",
       "spec.ranking.publish: must be one of: Annotation PodDeletionCost PodGroupCost StatusField"},
      {R"({"preset":"empty-nodes","waitSeconds":3601})",
       "spec.ranking.waitSeconds: must be an integer between 0 and 3600"},
      {R"({"preset":"empty-nodes","exact":"yes"})", "spec.ranking.exact: must be true or false"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(error_of(text), error) << text;
}

TEST(RankingSettings, HaveAtMost16Strategies) {
  json::array strategies(schema::kMaxStrategies, json::object{{"name", "Oldest"}});
  EXPECT_TRUE(decode_settings({{"strategies", strategies}}, "r"));
  strategies.push_back(json::object{{"name", "Oldest"}});
  EXPECT_EQ(decode_settings({{"strategies", strategies}}, "r").error().message,
            "r.strategies: must have at most 16 items");
}

TEST(RankingSettings, PublishWhatHasToBeRecomputedAsPodGroupCostOnly) {
  const std::string strategies = R"("strategies":[{"name":"Pack"},{"name":"AntiAffinity"}])";
  const auto plain = decode("{" + strategies + "}");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_TRUE(plain->recomputes());
  for (const char* publish : {"Annotation", "StatusField", "PodDeletionCost"}) {
    const std::string with = fmt::format(R"({{{},"publish":"{}")", strategies, publish);
    EXPECT_EQ(
        error_of(with + "}"),
        "spec.ranking.publish: must be PodGroupCost: ranks of AntiAffinity must be recomputed "
        "after each removal, unless exact is true");
    const auto exact = decode(with + R"(,"exact":true})");
    ASSERT_TRUE(exact) << exact.error().message;
    EXPECT_FALSE(exact->recomputes());
    EXPECT_EQ(to_string(exact->publish), publish);
  }
}

}  // namespace
}  // namespace ebb::ranking
