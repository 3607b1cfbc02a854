#include "control/replicaset/late_outcomes.h"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

Decision decision() {
  Decision made;
  made.id = "set-1";
  made.namespace_name = "shop";
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

TEST(UnknownDeletes, AreReportedOnceAllHaveSettled) {
  UnknownDeletes unsettled;
  unsettled.begin(decision());
  EXPECT_EQ(unsettled.open(), (std::vector<std::string>{"2", "3"}));
  unsettled.settle("1", "nobody asked");
  unsettled.settle("3", "gone already");
  unsettled.settle("3", "deleted");
  EXPECT_FALSE(unsettled.take_if_settled(kNow));
  unsettled.settle("2", "deleted");
  const auto late_outcomes = unsettled.take_if_settled(kNow);
  ASSERT_TRUE(late_outcomes);
  EXPECT_EQ(boost::json::serialize(late_outcomes->to_json()),
            R"({"settles":"set-1","time":"2026-09-21T14:13:20Z",)"
            R"("replicaSet":{"namespace":"shop","name":"web","uid":"set"},)"
            R"("victims":[{"name":"b","uid":"2","outcome":"deleted"},)"
            R"({"name":"c","uid":"3","outcome":"gone already"}]})");
  EXPECT_FALSE(unsettled.any());
}

TEST(UnknownDeletes, StayUnknownIfTheirOutcomeIsNeverLearnt) {
  UnknownDeletes unsettled;
  unsettled.begin(decision());
  unsettled.settle("2", "deleted");
  const auto late_outcomes = unsettled.take(kNow);
  ASSERT_TRUE(late_outcomes);
  EXPECT_EQ(late_outcomes->pods.at(1).outcome, "unknown");
  EXPECT_FALSE(unsettled.take(kNow));
}

TEST(UnknownDeletes, OfADecisionWithoutAnyAreNone) {
  Decision clear = decision();
  clear.victims.resize(1);
  UnknownDeletes unsettled;
  unsettled.begin(clear);
  EXPECT_FALSE(unsettled.any());
  EXPECT_FALSE(unsettled.take_if_settled(kNow));
}

}  // namespace
}  // namespace ebb::control
