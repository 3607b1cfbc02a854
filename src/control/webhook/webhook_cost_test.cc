#include "control/webhook/webhook_cost.h"

#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/apiserver/api_server_scene.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

using model::Method;

constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

Timestamp second_of_2026(std::int64_t second) {
  return Timestamp::from_seconds(1'767'225'600 + second);
}

TEST(WebhookCost, FallsWithTimeAndBelowEarlierDecisions) {
  EXPECT_EQ(cost_of_decision(second_of_2026(0), {}), -1'000'000'000);
  EXPECT_EQ(cost_of_decision(second_of_2026(27'000'000), {}), -1'027'000'000);
  // A clock before 2026.
  EXPECT_EQ(cost_of_decision(second_of_2026(-5), {}), -1'000'000'000);
  // In the same second, or by a slower clock.
  EXPECT_EQ(cost_of_decision(second_of_2026(7), -1'000'000'007), -1'000'000'008);
  EXPECT_EQ(cost_of_decision(second_of_2026(7), -1'000'000'900), -1'000'000'901);
  EXPECT_EQ(cost_of_decision(second_of_2026(7), -5), -1'000'000'007);
  // Nothing is below the lowest number.
  constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(cost_of_decision(second_of_2026(7), kLowest), kLowest);
  EXPECT_EQ(time_of_cost(-1'000'000'007), second_of_2026(7));
}

// A pod on a real API server, and its annotations.
class WebhookCostTest : public ::testing::Test {
 protected:
  void create(std::string_view annotations) {
    const auto answer = testing::carry_out(
        scene_, {.method = Method::kPost,
                 .path = std::string(kPods),
                 .content_type = "application/json",
                 .accept = "application/json",
                 .body = fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a",
                     "annotations":{}}},"spec":{{"containers":[{{"name":"c","image":"i"}}]}}}})",
                                     annotations)});
    ASSERT_EQ(answer.response.code, 201) << answer.response.body.str();
    see();
  }
  // The cache sees the pod as it is now.
  void see() {
    const auto answer = testing::carry_out(
        scene_, {.path = fmt::format("{}/a", kPods), .accept = "application/json"});
    text_ = answer.response.body.str();
    ASSERT_TRUE(store_.upsert(Resource::kPods, Store::Format::kJson, text_));
  }
  void annotate(std::string_view annotations) {
    const auto answer = testing::carry_out(
        scene_, {.method = Method::kPatch,
                 .path = fmt::format("{}/a", kPods),
                 .content_type = "application/merge-patch+json",
                 .accept = "application/json",
                 .body = fmt::format(R"({{"metadata":{{"annotations":{}}}}})", annotations)});
    ASSERT_EQ(answer.response.code, 200);
  }
  int send(const model::ApiRequest& request) {
    return testing::carry_out(scene_, request).response.code;
  }
  void remove() {
    EXPECT_EQ(send({.method = Method::kDelete,
                    .path = fmt::format("{}/a", kPods),
                    .content_type = "application/json",
                    .accept = "application/json",
                    .body = R"({"gracePeriodSeconds":0})"}),
              200);
  }
  [[nodiscard]] model::ApiRequest lower(const model::ScaleDownMark& mark) const {
    return lower_cost_request(pod(), mark, pod().has_annotations);
  }
  [[nodiscard]] const Pod& pod() const { return *store_.pod("default", "a"); }
  [[nodiscard]] bool has(std::string_view text) const {
    return text_.find(text) != std::string::npos;
  }

  testing::ApiServerScene scene_;
  Store store_;
  std::string text_;
};

constexpr model::ScaleDownMark kFirst{.decision = "d-1", .size = 3, .cost = -1'000'000'001};
constexpr model::ScaleDownMark kSecond{.decision = "d-2", .size = 2, .cost = -1'000'000'002};

TEST_F(WebhookCostTest, IsWrittenOnAPodWithoutAnnotationsAndRemovedAgain) {
  create("{}");
  EXPECT_EQ(send(lower(kFirst)), 200);
  see();
  EXPECT_EQ(pod().present_cost, kFirst.cost);
  EXPECT_EQ(pod().deletion_cost, 0);
  EXPECT_FALSE(pod().deletion_cost_set);
  EXPECT_EQ(send(restore_cost_request(pod())), 200);
  see();
  EXPECT_FALSE(has("ebb.dev"));
  EXPECT_FALSE(has("pod-deletion-cost"));
}

TEST_F(WebhookCostTest, KeepsTheValueBeforeItThroughSeveralDecisions) {
  create(R"({"controller.kubernetes.io/pod-deletion-cost":"-008","other":"x"})");
  EXPECT_EQ(send(lower(kFirst)), 200);
  see();
  EXPECT_EQ(pod().deletion_cost, -8);
  EXPECT_EQ(send(lower(kSecond)), 200);
  see();
  EXPECT_EQ(pod().present_cost, kSecond.cost);
  EXPECT_EQ(pod().deletion_cost, -8);
  EXPECT_EQ(pod().scale_down_mark.view(), mark_text(kSecond));
  EXPECT_EQ(send(restore_cost_request(pod())), 200);
  see();
  EXPECT_TRUE(has(R"("controller.kubernetes.io/pod-deletion-cost":"-008")"));
  EXPECT_TRUE(has(R"("other":"x")"));
  EXPECT_FALSE(has("ebb.dev"));
}

TEST_F(WebhookCostTest, LeavesAValueAloneThatAnotherClientHasWrittenSince) {
  create(R"({"controller.kubernetes.io/pod-deletion-cost":"5"})");
  EXPECT_EQ(send(lower(kFirst)), 200);
  see();
  annotate(R"({"controller.kubernetes.io/pod-deletion-cost":"9"})");
  // Not seen yet: the patch tests the value.
  EXPECT_EQ(send(restore_cost_request(pod())), 422);
  EXPECT_EQ(send(lower(kSecond)), 422);
  see();
  EXPECT_EQ(pod().deletion_cost, 9);
  EXPECT_EQ(send(restore_cost_request(pod())), 200);
  see();
  EXPECT_TRUE(has(R"("controller.kubernetes.io/pod-deletion-cost":"9")"));
  EXPECT_FALSE(has("ebb.dev"));
}

TEST_F(WebhookCostTest, HasAnotherFormForAnnotationsThatAreNotSeenYet) {
  create("{}");
  annotate(R"({"other":"x"})");
  EXPECT_EQ(send(lower(kFirst)), 422);
  EXPECT_EQ(send(lower_cost_request(pod(), kFirst, true)), 200);
  see();
  EXPECT_EQ(pod().present_cost, kFirst.cost);
  EXPECT_TRUE(has(R"("other":"x")"));
}

TEST_F(WebhookCostTest, DoesNotReplaceAFirstValueThatIsNotSeenYet) {
  for (const std::string_view annotations : {"{}", R"({"other":"x"})"}) {
    create(annotations);
    annotate(R"({"controller.kubernetes.io/pod-deletion-cost":"9"})");
    EXPECT_EQ(send(lower(kFirst)), 422) << annotations;
    see();
    EXPECT_EQ(pod().deletion_cost, 9) << annotations;
    EXPECT_EQ(send(lower(kFirst)), 200) << annotations;
    remove();
  }
}

TEST_F(WebhookCostTest, IsNotWrittenOnAnotherPodOfTheSameName) {
  create("{}");
  const auto request = lower(kFirst);
  remove();
  create("{}");
  const int code = send(request);
  EXPECT_TRUE(code == 409 || code == 422) << code;
  see();
  EXPECT_FALSE(has("ebb.dev"));
}

TEST_F(WebhookCostTest, DoesNotCareAboutOtherChangesOfThePod) {
  create(R"({"controller.kubernetes.io/pod-deletion-cost":"5"})");
  const auto request = lower(kFirst);
  annotate(R"({"touched":"1"})");
  EXPECT_EQ(send(request), 200);
}

}  // namespace
}  // namespace ebb::control
