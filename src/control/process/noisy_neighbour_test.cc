// I9 for a whole process at its rate limit: a tenant with very much to do, or whose syncs always
// fail, does not delay the scale-down of another by more than its fair share.
#include <string>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/process/process.h"
#include "model/api/requests.h"
#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::Scene;

ProcessSettings rate_limited() {
  ProcessSettings settings;
  settings.gates.set(model::Gate::kDownscalePodPicker, false);
  settings.gates.set(model::Gate::kPodCostRanking, false);
  settings.qps = 20;
  settings.burst = 30;
  return settings;
}

class NoisyNeighbourTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"busy", "calm"}) {
      ASSERT_EQ(
          served_.post("/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name))
              .code,
          201);
    }
    create_set("calm", "web", 3);
    scene_.start();
    scene_.settle_for(5 * kSecond);
    ASSERT_EQ(pods("calm"), 3U);
  }
  void create_set(std::string_view namespace_name, const std::string& name, int replicas) {
    const std::string text = fmt::format(
        R"({{"metadata":{{"name":"{0}"}},"spec":{{"replicas":{1},
            "selector":{{"matchLabels":{{"app":"{0}"}}}},
            "template":{{"metadata":{{"labels":{{"app":"{0}"}}}},
                         "spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}})",
        name, replicas);
    const auto path = fmt::format("/apis/apps/v1/namespaces/{}/replicasets", namespace_name);
    ASSERT_EQ(served_.post(path, text).code, 201);
  }
  void scale_calm(int replicas) {
    const auto answer = testing::carry_out(
        served_, model::merge_patch_request("/apis/apps/v1/namespaces/calm/replicasets/web",
                                            {{"spec", {{"replicas", replicas}}}}));
    ASSERT_EQ(answer.response.code, 200);
  }
  std::size_t pods(std::string_view namespace_name) {
    const auto list = testing::carry_out(
        served_, model::get_request(fmt::format("/api/v1/namespaces/{}/pods", namespace_name)));
    return boost::json::parse(list.response.body.str()).at("items").as_array().size();
  }

  testing::ApiServerScene served_;
  Scene scene_{served_, rate_limited(), Scene::Cast::kReal};
};

TEST_F(NoisyNeighbourTest, ThousandsOfCreatesDoNotDelayAScaleDown) {
  for (int i = 0; i < 60; ++i) create_set("busy", fmt::format("web-{}", i), 50);
  scene_.settle_for(20 * kSecond);
  const std::size_t before = pods("busy");
  ASSERT_GT(before, 100U);
  scale_calm(1);
  scene_.settle_for(2 * kSecond);
  EXPECT_EQ(pods("calm"), 1U);
  EXPECT_GT(pods("busy"), before) << "the other one is served too";
  EXPECT_LT(pods("busy"), 3'000U);
}

TEST_F(NoisyNeighbourTest, SyncsThatAlwaysFailDoNotDelayTheRetryOfAnother) {
  bool calm_failed = false;
  scene_.instead_of_server = [&](const Call& call) {
    const std::string& path = call.request.path;
    const bool creates =
        call.request.method == model::Method::kPost && path == "/api/v1/namespaces/busy/pods";
    const bool deletes = call.request.method == model::Method::kDelete &&
                         path.starts_with("/api/v1/namespaces/calm/pods/");
    const bool fails = creates || (deletes && !calm_failed);
    if (!fails) return false;
    calm_failed = calm_failed || deletes;
    scene_.answer(call, testing::answer_of(creates ? 403 : 429));
    return true;
  };
  for (int i = 0; i < 600; ++i) create_set("busy", fmt::format("web-{}", i), 1);
  scene_.settle_for(60 * kSecond);
  scale_calm(2);
  scene_.settle_for(3 * kSecond);
  EXPECT_TRUE(calm_failed);
  EXPECT_EQ(pods("calm"), 2U);
}

}  // namespace
}  // namespace ebb::control
