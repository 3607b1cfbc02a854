#include "control/settlement.h"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

Decision decision() {
  Decision made;
  made.id = "set-1";
  made.name_space = "shop";
  made.replica_set = "web";
  made.uid = "set";
  made.victims = {
      {.name = "a", .uid = "1", .node = "", .rule = "", .because = "", .outcome = "deleted"},
      {.name = "b",
       .uid = "2",
       .node = "",
       .rule = "",
       .because = "",
       .outcome = std::string(kUnknownOutcome)},
      {.name = "c",
       .uid = "3",
       .node = "",
       .rule = "",
       .because = "",
       .outcome = std::string(kUnknownOutcome)}};
  return made;
}

constexpr Timestamp kNow = Timestamp::from_seconds(1'790'000'000);

TEST(UnsettledDeletes, AreToldOnceAllHaveSettled) {
  UnsettledDeletes unsettled;
  unsettled.begin(decision());
  EXPECT_EQ(unsettled.open(), (std::vector<std::string>{"2", "3"}));
  unsettled.settle("1", "nobody asked");
  unsettled.settle("3", "gone already");
  unsettled.settle("3", "deleted");
  EXPECT_FALSE(unsettled.take_if_settled(kNow));
  unsettled.settle("2", "deleted");
  const auto settlement = unsettled.take_if_settled(kNow);
  ASSERT_TRUE(settlement);
  EXPECT_EQ(boost::json::serialize(settlement->to_json()),
            R"({"settles":"set-1","time":"2026-09-21T14:13:20Z",)"
            R"("replicaSet":{"namespace":"shop","name":"web","uid":"set"},)"
            R"("victims":[{"name":"b","uid":"2","outcome":"deleted"},)"
            R"({"name":"c","uid":"3","outcome":"gone already"}]})");
  EXPECT_FALSE(unsettled.any());
}

TEST(UnsettledDeletes, StayUnknownIfNobodyWillLearnMore) {
  UnsettledDeletes unsettled;
  unsettled.begin(decision());
  unsettled.settle("2", "deleted");
  const auto settlement = unsettled.take(kNow);
  ASSERT_TRUE(settlement);
  EXPECT_EQ(settlement->pods.at(1).outcome, "unknown");
  EXPECT_FALSE(unsettled.take(kNow));
}

TEST(UnsettledDeletes, OfADecisionWithoutAnyAreNone) {
  Decision clear = decision();
  clear.victims.resize(1);
  UnsettledDeletes unsettled;
  unsettled.begin(clear);
  EXPECT_FALSE(unsettled.any());
  EXPECT_FALSE(unsettled.take_if_settled(kNow));
}

}  // namespace
}  // namespace ebb::control
