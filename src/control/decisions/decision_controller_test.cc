#include "control/decisions/decision_controller.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/decisions/decision_object.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"

namespace ebb::control {
namespace {

using model::Method;
using testing::ControllerScene;

constexpr std::string_view kPath = "/apis/ebb.dev/v1alpha1/namespaces/shop/downscaledecisions";

class DecisionControllerTest : public ::testing::Test {
 protected:
  DecisionControllerTest() { list(); }

  // The scene makes controllers by function pointer.
  static std::shared_ptr<DecisionQueue>& queue() {
    static std::shared_ptr<DecisionQueue> shared;
    return shared;
  }
  static std::unique_ptr<Controller> make(const ControllerContext& context, Safeguards) {
    queue() = std::make_shared<DecisionQueue>();
    return make_decision_controller(context, queue(), {.per_workload = 2, .per_cluster = 5});
  }

  // As if the reflector had listed what there is.
  void list() {
    scene_.see_all();
    scene_.store->begin_listing(Resource::kDecisions);
    const auto all = scene_.get(std::string(kPath));
    for (const auto& item : *schema::array_at(all, {"items"})) {
      boost::json::object object = item.as_object();
      ASSERT_TRUE(
          scene_.store
              ->upsert(Resource::kDecisions, Store::Format::kJson, boost::json::serialize(object))
              .has_value());
    }
    scene_.store->end_listing(Resource::kDecisions);
    scene_.run();
  }

  void decide(std::string set = "web") {
    Decision decision;
    decision.id = fmt::format("u-{}", ++number_);
    // Records of one second are in the order of their names.
    decision.time = Timestamp::from_nanoseconds(scene_.now.wall.since_epoch_ns() + number_ * 1'000);
    decision.namespace_name = "shop";
    decision.replica_set = std::move(set);
    decision.uid = "u";
    decision.from = 2;
    decision.to = 1;
    decision.victims.emplace_back();
    decision.victims.back().rule = "Age";
    queue()->add(std::move(decision));
    scene_.run();
  }

  [[nodiscard]] std::vector<std::string> ids() {
    std::vector<std::string> all;
    const auto list = scene_.get(std::string(kPath));
    for (const auto& item : *schema::array_at(list, {"items"})) {
      all.emplace_back(schema::text_at(item.as_object(), {"spec", "id"}));
    }
    return all;
  }

  int number_ = 0;
  ControllerScene scene_{make};
};

using Ids = std::vector<std::string>;

TEST_F(DecisionControllerTest, WritesADecisionAsAPatientWrite) {
  decide();
  ASSERT_EQ(scene_.calls(), std::vector<std::string>{"POST downscaledecisions"});
  EXPECT_EQ(scene_.call("POST").kind, Call::Kind::kPatientWrite);
  scene_.settle();
  EXPECT_EQ(ids(), Ids{"u-1"});
  EXPECT_EQ(scene_.labelled["written"], 1);
  EXPECT_TRUE(scene_.controller().idle());
}

TEST_F(DecisionControllerTest, DeletesTheOldestRecordOfAWorkload) {
  for (int i = 0; i < 3; ++i) {
    decide();
    scene_.settle();
  }
  decide("api");
  scene_.settle();
  EXPECT_EQ(ids(), (Ids{"u-4", "u-2", "u-3"})) << "by name";
  EXPECT_EQ(scene_.labelled["workload"], 1);
}

TEST_F(DecisionControllerTest, DeletesByUid) {
  for (int i = 0; i < 3; ++i) decide();
  scene_.carry_out("POST");
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(scene_.count_calls("DELETE"), 1U);
  EXPECT_NE(scene_.call("DELETE").request.body.find(R"("preconditions":{"uid":")"),
            std::string::npos);
}

TEST_F(DecisionControllerTest, KeepsTheNumberInTheClusterBounded) {
  for (int i = 0; i < 8; ++i) {
    decide(fmt::format("set-{}", i));
    scene_.settle();
  }
  EXPECT_EQ(ids(), (Ids{"u-4", "u-5", "u-6", "u-7", "u-8"}));
  EXPECT_EQ(scene_.labelled["cluster"], 3);
}

TEST_F(DecisionControllerTest, SendsAFewCallsAtATime) {
  for (int i = 0; i < 10; ++i) decide(fmt::format("set-{}", i));
  EXPECT_EQ(scene_.calls().size(), 4U);
}

TEST_F(DecisionControllerTest, RepeatsAWriteOfUnknownOutcomeUnderTheSameName) {
  decide();
  scene_.lose_after("POST");
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(3 * kSecond);
  ASSERT_EQ(scene_.count_calls("POST"), 1U);
  scene_.settle();
  EXPECT_EQ(ids(), Ids{"u-1"});
  EXPECT_EQ(scene_.labelled["written"], 1);
}

TEST_F(DecisionControllerTest, GivesUpAfterAFewAttempts) {
  decide();
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(scene_.count_calls("POST"), 1U) << i;
    scene_.lose_before("POST");
    scene_.pass_time(120 * kSecond);
  }
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.labelled["failed"], 1);
}

TEST_F(DecisionControllerTest, DropsARecordThatIsRefusedAndLogsThatOnce) {
  decide();
  scene_.refuse("POST", 403, "exceeded quota");
  scene_.pass_time(5 * kSecond);
  decide();
  scene_.refuse("POST", 403, "exceeded quota");
  EXPECT_EQ(scene_.labelled["refused"], 2);
  ASSERT_EQ(scene_.log_lines.size(), 1U);
  EXPECT_NE(scene_.log_lines[0].find("cannot write DownscaleDecision shop/web-"),
            std::string::npos);
  EXPECT_NE(scene_.log_lines[0].find("exceeded quota"), std::string::npos);
}

TEST_F(DecisionControllerTest, WritesNothingIfTheKindIsNotAvailable) {
  scene_.store->clear(Resource::kDecisions);
  decide();
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.labelled["unavailable"], 1);
  list();
  decide();
  EXPECT_EQ(scene_.count_calls("POST"), 1U);
}

TEST_F(DecisionControllerTest, WaitsUntilTheExistingRecordsAreKnown) {
  scene_.restart();
  decide();
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(scene_.labelled["unavailable"], 0);
  list();
  EXPECT_EQ(scene_.count_calls("POST"), 1U);
}

TEST_F(DecisionControllerTest, DeletesWhatAnEarlierProcessLeft) {
  for (int i = 0; i < 4; ++i) {
    decide(i < 2 ? "web" : "api");
    scene_.settle();
  }
  scene_.restart();
  list();
  EXPECT_TRUE(scene_.calls().empty());
  decide();
  scene_.settle();
  EXPECT_EQ(ids(), (Ids{"u-3", "u-4", "u-2", "u-5"}));
}

TEST_F(DecisionControllerTest, RepeatsADeleteThatHadNoEffect) {
  for (int i = 0; i < 3; ++i) decide();
  scene_.carry_out("POST");
  scene_.see_all();
  scene_.run();
  scene_.refuse("DELETE", 404, "not found");  // from a proxy
  EXPECT_TRUE(scene_.calls().empty());
  scene_.pass_time(31 * kSecond);
  EXPECT_EQ(scene_.count_calls("DELETE"), 1U);
  scene_.settle();
  EXPECT_EQ(ids(), (Ids{"u-2", "u-3"}));
}

TEST_F(DecisionControllerTest, DeletesNoOtherRecordInPlaceOfARefusedOne) {
  for (int i = 0; i < 3; ++i) decide();
  scene_.carry_out("POST");
  scene_.see_all();
  scene_.run();
  scene_.refuse("DELETE", 403, "a webhook says no");
  scene_.pass_time(kSecond);
  scene_.run();
  EXPECT_TRUE(scene_.calls().empty());
}

TEST_F(DecisionControllerTest, LeavesARecordWithAFinalizerAlone) {
  for (int i = 0; i < 2; ++i) decide();
  scene_.carry_out("POST");
  scene_.see_all();
  const auto list = scene_.get(std::string(kPath));
  const auto& oldest = schema::array_at(list, {"items"})->at(0).as_object();
  scene_.patch(fmt::format("{}/{}", kPath, schema::text_at(oldest, {"metadata", "name"})),
               R"({"metadata":{"finalizers":["example.com/stay"]}})");
  decide();
  scene_.settle();
  EXPECT_EQ(ids().size(), 3U);
  scene_.history.clear();
  scene_.pass_time(300 * kSecond);
  EXPECT_TRUE(scene_.history.empty()) << scene_.history.front();
}

TEST_F(DecisionControllerTest, StopsAndLeavesTheRestToItsSuccessor) {
  for (int i = 0; i < 10; ++i) decide(fmt::format("set-{}", i));
  scene_.controller().stop();
  scene_.run();
  EXPECT_FALSE(scene_.controller().idle());
  EXPECT_EQ(scene_.labelled["dropped"], 6);
  scene_.carry_out();
  EXPECT_TRUE(scene_.controller().idle());
  // A round that ends now is still recorded.
  decide("last");
  EXPECT_EQ(scene_.count_calls("POST"), 1U);
}

TEST_F(DecisionControllerTest, HoldsBackWhileTheWatchDoesNotShowItsRecords) {
  std::size_t written = 0;
  for (int i = 0; i < 100; ++i) {
    decide(fmt::format("set-{}", i));
    const std::size_t sent = scene_.count_calls("POST");
    written += sent;
    if (sent > 0) scene_.carry_out("POST");
  }
  EXPECT_EQ(written, 16U);
  scene_.settle();
  EXPECT_EQ(ids().size(), 5U);
}

}  // namespace
}  // namespace ebb::control
