// Admission reviews through a whole process: they reach the webhook, are held, and are answered.
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/process/process.h"
#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::Scene;

ProcessSettings webhook_settings() {
  ProcessSettings settings;
  settings.replica_sets = false;
  settings.deployments = false;
  settings.webhook.emplace();
  settings.webhook->cleanup_lease = LeaseSettings{.name = "ebb-webhook", .identity = "one"};
  return settings;
}

class ProcessReviewsTest : public ::testing::Test {
 protected:
  std::string create(std::string path, std::string body) {
    const Answer answer = testing::carry_out(served_, {.method = model::Method::kPost,
                                                       .path = std::move(path),
                                                       .content_type = "application/json",
                                                       .accept = "application/json",
                                                       .body = std::move(body)});
    EXPECT_EQ(answer.response.code, 201) << answer.response.body.str();
    const auto object = boost::json::parse(answer.response.body.str());
    return std::string(object.at("metadata").at("uid").as_string());
  }
  // A ReplicaSet with two pods and a policy.
  void populate() {
    set_uid_ = create("/apis/apps/v1/namespaces/default/replicasets",
                      R"({"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},
                          "spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},
                          "template":{"metadata":{"labels":{"app":"web"}},
                          "spec":{"containers":[{"name":"c","image":"i"}]}}}})");
    for (const char* pod : {"a", "b"}) {
      create("/api/v1/namespaces/default/pods",
             fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}",
                 "labels":{{"app":"web"}},"ownerReferences":[{{"apiVersion":"apps/v1",
                 "kind":"ReplicaSet","name":"web","uid":"{}","controller":true}}]}},
                 "spec":{{"nodeName":"n","containers":[{{"name":"c","image":"i"}}]}}}})",
                         pod, set_uid_));
    }
    create("/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies",
           R"({"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy","metadata":{"name":"p"},
               "spec":{"targetRef":{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web"},
               "ranking":{"strategies":[{"name":"TopologySpread","args":{
               "topologyKey":"topology.kubernetes.io/zone"}}],"publish":"Annotation"}}})");
  }
  [[nodiscard]] std::string review_body() const {
    return fmt::format(
        R"({{"request":{{"uid":"r","namespace":"default","name":"web","operation":"UPDATE",
            "resource":{{"group":"apps","version":"v1","resource":"replicasets"}},
            "oldObject":{{"metadata":{{"uid":"{0}"}},"spec":{{"replicas":2}}}},
            "object":{{"metadata":{{"uid":"{0}"}},"spec":{{"replicas":1}}}}}}}})",
        set_uid_);
  }

  testing::ApiServerScene served_;
  std::string set_uid_;
};

TEST_F(ProcessReviewsTest, AreHeldUntilTheCostIsWritten) {
  populate();
  Scene scene(served_, webhook_settings(), Scene::Cast::kReal);
  scene.start();
  // Nothing is known yet, so everything passes.
  scene.process->review(1, review_body(), scene.now());
  scene.collect();
  auto answers = scene.process->take_review_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].id, 1U);
  EXPECT_TRUE(boost::json::parse(answers[0].body).at("response").at("allowed").as_bool());

  scene.settle();
  EXPECT_TRUE(scene.process->synced());
  EXPECT_TRUE(scene.process->watches_down_since(scene.now()).is_zero());
  scene.process->review(2, review_body(), scene.now());
  scene.collect();
  EXPECT_TRUE(scene.process->take_review_answers().empty());
  const Call write = scene.take(Call::Kind::kWrite);
  EXPECT_EQ(write.request.method, model::Method::kPatch);
  scene.answer(write, testing::carry_out(served_, write.request));
  answers = scene.process->take_review_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].id, 2U);
}

TEST_F(ProcessReviewsTest, AreNotAnsweredOnceTheyAreDropped) {
  populate();
  Scene scene(served_, webhook_settings(), Scene::Cast::kReal);
  scene.start();
  scene.settle();
  scene.process->review(1, "nonsense", scene.now());
  scene.process->review(2, "nonsense", scene.now());
  scene.process->drop_review(1, scene.now());
  const auto answers = scene.process->take_review_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].id, 2U);
  EXPECT_EQ(answers[0].body, "");
  scene.collect();
  scene.process->review(3, review_body(), scene.now());
  scene.process->drop_review(3, scene.now());
  scene.settle_for(3 * kSecond);
  EXPECT_TRUE(scene.process->take_review_answers().empty());
}

TEST_F(ProcessReviewsTest, AreAllAnsweredWhenTheProcessStops) {
  populate();
  Scene scene(served_, webhook_settings(), Scene::Cast::kReal);
  scene.start();
  scene.settle();
  scene.process->review(1, review_body(), scene.now());
  scene.collect();
  scene.stop();
  EXPECT_EQ(scene.process->take_review_answers().size(), 1U);
  scene.process->review(2, review_body(), scene.now());
  scene.collect();
  EXPECT_EQ(scene.process->take_review_answers().size(), 1U);
  scene.settle_for(12 * kSecond);
  EXPECT_TRUE(scene.process->done());
  // The clean-up lease is given back.
  const Answer lease = testing::carry_out(
      served_, {.path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-webhook",
                .accept = "application/json"});
  ASSERT_EQ(lease.response.code, 200);
  const auto object = boost::json::parse(lease.response.body.str());
  const auto* const holder = object.at("spec").as_object().if_contains("holderIdentity");
  EXPECT_TRUE(holder == nullptr || holder->as_string().empty());
  EXPECT_TRUE(scene.process->synced() == false);
}

TEST_F(ProcessReviewsTest, MeanNothingToAProcessWithoutAWebhook) {
  Scene scene(served_, ProcessSettings{}, Scene::Cast::kReal);
  scene.start();
  scene.process->review(7, review_body(), scene.now());
  const auto answers = scene.process->take_review_answers();
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].body, "");
}

}  // namespace
}  // namespace ebb::control
