#include "cli/controller/decision_filter.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

control::Decision decision(std::string uid, std::string refusal) {
  control::Decision made;
  made.namespace_name = "shop";
  made.replica_set = "web";
  made.uid = std::move(uid);
  made.victims.resize(2);
  for (control::Decision::Victim& victim : made.victims) {
    victim.spared = !refusal.empty();
    victim.outcome = refusal.empty() ? "deleted" : refusal;
  }
  return made;
}

TEST(DecisionFilter, ReportsARefusalOnceUntilSomethingChanges) {
  DecisionFilter filter;
  EXPECT_TRUE(filter.is_worth_showing(decision("a", "refused: no")));
  EXPECT_FALSE(filter.is_worth_showing(decision("a", "refused: no")));
  EXPECT_TRUE(filter.is_worth_showing(decision("b", "refused: no")));
  EXPECT_TRUE(filter.is_worth_showing(decision("a", "refused: never")));
  EXPECT_FALSE(filter.is_worth_showing(decision("a", "refused: never")));
  EXPECT_TRUE(filter.is_worth_showing(decision("a", "")));
  EXPECT_TRUE(filter.is_worth_showing(decision("a", "")));
  EXPECT_TRUE(filter.is_worth_showing(decision("a", "refused: never")));
}

}  // namespace
}  // namespace ebb::cli
