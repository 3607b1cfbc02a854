#include "runtime/telemetry/picker_status_log.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

using control::Decision;
using picker::Outcome;

Decision decision_with(Outcome outcome, int code = 0, const std::string& name = "web") {
  Decision decision;
  decision.namespace_name = "shop";
  decision.replica_set = name + "-1";
  decision.owner = "Deployment/" + name;
  Decision::Picker& picker = decision.picker.emplace();
  picker.endpoint = "http://picker:80";
  picker.outcome = outcome;
  picker.code = code;
  picker.attempts = 4;
  return decision;
}

TEST(PickerStatusLog, ReportsAFailureOnce) {
  PickerStatusLog log;
  const auto first = log.observe(decision_with(Outcome::kTimeout));
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->bad);
  EXPECT_EQ(first->text,
            "picker http://picker:80 of shop/Deployment/web: timeout (4 attempts); its pods go in "
            "the default order");
  EXPECT_FALSE(log.observe(decision_with(Outcome::kTimeout)));
}

TEST(PickerStatusLog, SaysMoreThanTheOutcomeToOperators) {
  PickerStatusLog log;
  Decision decision = decision_with(Outcome::kRefused);
  decision.picker->detail = "127.0.0.1 is not allowed (--picker-allow-cidr)";
  const auto line = log.observe(decision);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->text,
            "picker http://picker:80 of shop/Deployment/web: refused: 127.0.0.1 is not allowed "
            "(--picker-allow-cidr) (4 attempts); its pods go in the default order");
}

TEST(PickerStatusLog, ReportsAFailureWithAnotherCause) {
  PickerStatusLog log;
  EXPECT_TRUE(log.observe(decision_with(Outcome::kStatusCode, 500)));
  EXPECT_FALSE(log.observe(decision_with(Outcome::kStatusCode, 500)));
  const auto other = log.observe(decision_with(Outcome::kStatusCode, 403));
  ASSERT_TRUE(other);
  EXPECT_NE(other->text.find("status code 403"), std::string::npos) << other->text;
}

TEST(PickerStatusLog, ReportsRecoveryAfterAFailure) {
  PickerStatusLog log;
  EXPECT_FALSE(log.observe(decision_with(Outcome::kAnswered)));
  EXPECT_TRUE(log.observe(decision_with(Outcome::kRefused)));
  const auto again = log.observe(decision_with(Outcome::kEmpty));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->bad);
  EXPECT_EQ(again->text, "picker http://picker:80 of shop/Deployment/web answers again");
  EXPECT_TRUE(log.observe(decision_with(Outcome::kRefused)));
}

TEST(PickerStatusLog, LearnsNothingFromScaleDownsThatNeedNoPicker) {
  PickerStatusLog log;
  EXPECT_TRUE(log.observe(decision_with(Outcome::kRefused)));
  EXPECT_FALSE(log.observe(decision_with(Outcome::kNotNeeded)));
  EXPECT_FALSE(log.observe(decision_with(Outcome::kRefused)));
  Decision without;
  EXPECT_FALSE(log.observe(without));
}

TEST(PickerStatusLog, KeepsWorkloadsApart) {
  PickerStatusLog log;
  EXPECT_TRUE(log.observe(decision_with(Outcome::kRefused)));
  EXPECT_TRUE(log.observe(decision_with(Outcome::kRefused, 0, "api")));
}

}  // namespace
}  // namespace ebb::runtime
