#include "control/webhook/known_decisions.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

const SetId kWeb{.namespace_name = "shop", .uid = "u"};

Now at(std::int64_t second) {
  const auto time = Timestamp::from_seconds(second);
  return {.wall = time, .mono = time};
}

TEST(KnownDecisions, KeepsTheDecisionWithTheLowestCost) {
  KnownDecisions known;
  EXPECT_EQ(known.newest(kWeb), nullptr);
  known.saw_mark(kWeb, {.decision = "d1", .size = 5, .cost = -10}, "a", at(1));
  known.saw_mark(kWeb, {.decision = "d1", .size = 5, .cost = -10}, "b", at(2));
  ASSERT_NE(known.newest(kWeb), nullptr);
  EXPECT_EQ(known.newest(kWeb)->first_seen, at(1).mono);
  EXPECT_EQ(known.newest(kWeb)->victims.size(), 2U);
  // A leftover of an earlier decision.
  known.saw_mark(kWeb, {.decision = "d0", .size = 9, .cost = -9}, "c", at(3));
  EXPECT_EQ(known.newest(kWeb)->id, "d1");
  EXPECT_EQ(known.newest(kWeb)->victims.size(), 2U);
  known.saw_mark(kWeb, {.decision = "d2", .size = 3, .cost = -11}, "c", at(4));
  EXPECT_EQ(known.newest(kWeb)->id, "d2");
  EXPECT_EQ(known.newest(kWeb)->first_seen, at(4).mono);
  EXPECT_EQ(known.newest(kWeb)->victims, (std::set<std::string, std::less<>>{"c"}));
  EXPECT_EQ(known.lowest_cost(kWeb), -11);
}

TEST(KnownDecisions, JoinsTwoDecisionsOfTheSameCost) {
  KnownDecisions known;
  known.saw_mark(kWeb, {.decision = "one", .size = 5, .cost = -10}, "a", at(1));
  known.saw_mark(kWeb, {.decision = "two", .size = 4, .cost = -10}, "b", at(2));
  EXPECT_EQ(known.newest(kWeb)->size, 4);
  EXPECT_EQ(known.newest(kWeb)->victims.size(), 2U);
}

TEST(KnownDecisions, ReplacesEverythingByADecisionOfItsOwn) {
  KnownDecisions known;
  known.saw_mark(kWeb, {.decision = "forged", .size = 5, .cost = -2'000'000'000}, "a", at(1));
  known.decided(kWeb, {.decision = "own", .size = 4, .cost = -10}, {"b", "c"}, at(2));
  EXPECT_EQ(known.newest(kWeb)->id, "own");
  EXPECT_EQ(known.newest(kWeb)->victims.size(), 2U);
  known.forget(kWeb);
  EXPECT_EQ(known.newest(kWeb), nullptr);
}

TEST(KnownDecisions, DistinguishesNamespaces) {
  KnownDecisions known;
  known.saw_mark({.namespace_name = "other", .uid = "u"}, {.decision = "d", .size = 1, .cost = -10},
                 "a", at(1));
  EXPECT_EQ(known.newest(kWeb), nullptr);
}

}  // namespace
}  // namespace ebb::control
