#include <set>

#include <gtest/gtest.h>

#include "ranking/strategy.h"
#include "schema/core/ranking_rules.h"

namespace ebb::ranking {
namespace {

using Names = std::vector<std::string_view>;

TEST(Strategies, AreThoseThatThePoliciesMayName) {
  Names names;
  for (const Strategy& strategy : strategies()) names.push_back(strategy.name);
  Names allowed;
  for (const schema::StrategyRules& rules : schema::strategy_rules()) allowed.push_back(rules.name);
  EXPECT_EQ(names, allowed);
  for (const Strategy& strategy : strategies()) {
    const schema::StrategyRules* rules = schema::find_strategy_rules(strategy.name);
    ASSERT_NE(rules, nullptr) << strategy.name;
    EXPECT_EQ(strategy.recomputes, rules->recomputes) << strategy.name;
  }
}

TEST(Strategies, AreFoundByName) {
  for (const Strategy& strategy : strategies()) EXPECT_EQ(find_strategy(strategy.name), &strategy);
  EXPECT_EQ(find_strategy("topologyspread"), nullptr);
  EXPECT_EQ(find_strategy(""), nullptr);
}

}  // namespace
}  // namespace ebb::ranking
