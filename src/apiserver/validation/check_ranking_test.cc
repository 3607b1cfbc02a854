#include <gtest/gtest.h>

#include "schema/core/ranking_rules.h"
#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

const char* const kPolicy = R"({"apiVersion": "ebb.dev/v1alpha1", "kind": "DownscalePolicy",
  "metadata": {"name": "p", "namespace": "shop"},
  "spec": {"targetRef": {"kind": "Deployment", "name": "web"}}})";

struct Case {
  std::string ranking;
  std::string problems;
};

void expect_each(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    EXPECT_EQ(support::problems(kPolicy, R"({"spec": {"ranking": )" + one.ranking + "}}"),
              one.problems.empty() ? "" : "spec.ranking" + one.problems)
        << one.ranking;
  }
}

std::string strategy(const std::string& text) {
  return R"({"strategies": [{"name": )" + text + "}]}";
}

TEST(CheckRanking, WantsAPresetOrStrategies) {
  expect_each({
      {R"({"preset": "keep-zones-balanced"})", ""},
      {R"({"strategies": [{"name": "Oldest"}]})", ""},
      {"{}", ": Required value: one of `preset` and `strategies` must be specified"},
      {R"({"strategies": []})",
       ": Required value: one of `preset` and `strategies` must be specified"},
      {R"({"preset": "empty-nodes", "strategies": [{"name": "Pack"}]})",
       ".strategies: Forbidden: may not be specified when `preset` is specified"},
      {R"({"preset": "x"})",
       ".preset: Unsupported value: \"x\": supported values: \"cheapest-first\", \"empty-nodes\", "
       "\"keep-zones-balanced\""},
  });
}

TEST(CheckRanking, KnowsTheStrategiesAndTheirArguments) {
  expect_each({
      {strategy(R"("TopologySpread", "args": {"topologyKey": "kubernetes.io/hostname"})"), ""},
      {strategy(R"("TopologySpread", "args": {})"), ""},
      {strategy(R"("NodeCost", "args": {"prices": {"m5.large": 0.096, "m5.xlarge": 1}})"), ""},
      {strategy(R"("Weight", "args": {"annotation": "shop/weight"})"), ""},
      {strategy(R"("Taints")"),
       ".strategies[0].name: Unsupported value: \"Taints\": supported values: \"AntiAffinity\", "
       "\"NodeCost\", \"NodeLeaving\", \"Oldest\", \"Pack\", \"TopologySpread\", "
       "\"UntoleratedTaints\", \"Weight\", \"Youngest\""},
      {R"({"strategies": [{"weight": 1}]})", ".strategies[0].name: Required value"},
      {strategy(R"("TopologySpread", "args": {"topologyKey": "a b"})"),
       ".strategies[0].args.topologyKey: Invalid value: \"a b\": must be the key of a label or "
       "annotation, such as topology.kubernetes.io/zone"},
      {strategy(R"("Pack", "args": {"topologyKey": "zone"})"),
       ".strategies[0].args: Invalid value: {\"topologyKey\":\"zone\"}: must be empty for Pack"},
      {strategy(R"("UntoleratedTaints", "args": {"count": "some"})"),
       ".strategies[0].args.count: Invalid value: \"some\": must be one of: all hard preferred"},
      {strategy(R"("NodeCost")"),
       ".strategies[0].args: Invalid value: {}: must have label or prices"},
      {strategy(R"("NodeCost", "args": {"prices": {"a": -1}})"),
       ".strategies[0].args.prices: Invalid value: {\"a\":-1}: values must be numbers of 0 or "
       "more"},
      {strategy(R"("Weight", "args": {"label": "a", "annotation": "b"})"),
       ".strategies[0].args: Invalid value: {\"label\":\"a\",\"annotation\":\"b\"}: must have "
       "exactly "
       "one of label and annotation"},
  });
}

TEST(CheckRanking, BoundsNumbers) {
  expect_each({
      {strategy(R"("Oldest", "weight": 1000000, "threshold": 0)"), ""},
      {strategy(R"("Oldest", "weight": 0, "threshold": 2147483647)"), ""},
      {strategy(R"("Oldest", "weight": -1)"),
       ".strategies[0].weight: Invalid value: -1: must be between 0 and 1000000, inclusive"},
      {strategy(R"("Oldest", "weight": 1000001)"),
       ".strategies[0].weight: Invalid value: 1000001: must be between 0 and 1000000, inclusive"},
      {strategy(R"("Oldest", "threshold": -1)"),
       ".strategies[0].threshold: Invalid value: -1: must be greater than or equal to 0"},
      {R"({"preset": "empty-nodes", "waitSeconds": 3600})", ""},
      {R"({"preset": "empty-nodes", "waitSeconds": -1})",
       ".waitSeconds: Invalid value: -1: must be between 0 and 3600, inclusive"},
      {R"({"preset": "empty-nodes", "waitSeconds": 3601})",
       ".waitSeconds: Invalid value: 3601: must be between 0 and 3600, inclusive"},
  });
  std::string many = R"({"name": "Oldest"})";
  for (std::size_t i = 1; i < schema::kMaxStrategies; ++i) many += R"(, {"name": "Oldest"})";
  expect_each({{R"({"strategies": [)" + many + "]}", ""},
               {R"({"strategies": [{"name": "Pack"}, )" + many + "]}",
                ".strategies: Forbidden: must have at most 16 items"}});
}

TEST(CheckRanking, PublishesWhatHasToBeRecomputedAsPodGroupCostOnly) {
  const std::string one = R"({"strategies": [{"name": "Pack"}, {"name": "AntiAffinity"}])";
  expect_each({
      {one + "}", ""},
      {one + R"(, "publish": "PodGroupCost"})", ""},
      {one + R"(, "publish": "Annotation", "exact": true})", ""},
      {one + R"(, "publish": "PodDeletionCost"})",
       ".publish: Invalid value: \"PodDeletionCost\": must be PodGroupCost for strategies whose "
       "ranks must be recomputed after each removal, unless `exact` is true"},
      {R"({"preset": "empty-nodes", "publish": "Letter"})",
       ".publish: Unsupported value: \"Letter\": supported values: \"Annotation\", "
       "\"PodDeletionCost\", \"PodGroupCost\", \"StatusField\""},
  });
}

}  // namespace
}  // namespace ebb::apiserver
