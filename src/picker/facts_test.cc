#include "picker/facts.h"

#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::picker {
namespace {

using model::Pod;
using testing::pointers;
using testing::World;

constexpr Timestamp kNow = Timestamp::from_seconds(1'000'000);

std::string_view zone_of(model::Interned node) { return node.view() == "n1" ? "eu-1" : ""; }

std::string_view no_zones(model::Interned /*node*/) {
  ADD_FAILURE() << "nobody wants to know";
  return "";
}

class FactsTest : public ::testing::Test {
 protected:
  FactsTest() {
    Pod& late = pods_.emplace_back(world_.pod("web-b"));
    late.node = world_.intern("n1");
    late.created = Timestamp::from_seconds(999'000);
    late.ready_since = Timestamp::from_seconds(999'500);
    late.restarts = 4;
    late.deletion_cost = -7;
    Pod& going = pods_.emplace_back(world_.pod("web-c"));
    going.ready = false;
    Pod& early = pods_.emplace_back(world_.pod("web-a"));
    early.created = Timestamp::from_seconds(1'000'007);
    early.ready_since = {};
  }

  PickRequest ask(Context context, const ZoneOf& zones) const {
    const auto pods = pointers(pods_);
    return make_pick_request(prepare(pods, 2), context, zones, kNow);
  }

  World world_;
  std::vector<Pod> pods_;
};

TEST_F(FactsTest, NamesAloneNeedNoFacts) {
  const PickRequest request = ask(Context::kNames, no_zones);
  EXPECT_EQ(request.requested, 1U);
  EXPECT_EQ(request.candidates, (std::vector<std::string>{"web-a", "web-b"}));
  EXPECT_TRUE(request.facts.empty());
}

TEST_F(FactsTest, FactsStandInTheOrderOfTheNames) {
  const PickRequest request = ask(Context::kFull, zone_of);
  ASSERT_EQ(request.facts.size(), 2U);
  const CandidateFacts& facts = request.facts[1];
  EXPECT_EQ(request.candidates[1], "web-b");
  EXPECT_EQ(facts.node, "n1");
  EXPECT_EQ(facts.zone, "eu-1");
  EXPECT_EQ(facts.age_seconds, 1000);
  EXPECT_EQ(facts.ready_since, Timestamp::from_seconds(999'500));
  EXPECT_EQ(facts.restarts, 4);
  EXPECT_EQ(facts.cost, -7);
}

TEST_F(FactsTest, AgesAreNotNegativeAndUnknownTimesAreLeftOut) {
  const PickRequest request = ask(Context::kFull, zone_of);
  EXPECT_EQ(request.candidates[0], "web-a");
  EXPECT_EQ(request.facts[0].age_seconds, 0);
  EXPECT_EQ(request.facts[0].zone, "");
  EXPECT_FALSE(request.facts[0].ready_since.has_value());
}

}  // namespace
}  // namespace ebb::picker
