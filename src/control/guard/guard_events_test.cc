// The events of a whole process with guards, on an API server.
#include "control/guard/guard_events.h"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/process/process.h"
#include "model/api/requests.h"
#include "schema/core/json.h"
#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::Scene;

constexpr std::string_view kCanary =
    "/apis/apps/v1/namespaces/kube-system/replicasets/ebb-controller-canary";

ProcessSettings guarded() {
  ProcessSettings settings;
  settings.deployments = false;
  settings.gates.set(model::Gate::kDownscalePodPicker, false);
  settings.gates.set(model::Gate::kPodCostRanking, false);
  settings.sole_controller.emplace();
  settings.sole_controller->canary_name = "ebb-controller-canary";
  return settings;
}

class GuardEventsTest : public ::testing::Test {
 protected:
  // `Warning NotActing: message`, in the order in which they were recorded, with their numbers.
  [[nodiscard]] std::vector<std::string> events() {
    const auto list =
        testing::carry_out(served_, model::get_request("/api/v1/namespaces/kube-system/events"));
    std::vector<std::string> texts;
    const auto document = boost::json::parse(list.response.body.str());
    for (const auto& each : document.at("items").as_array()) {
      const auto& event = each.as_object();
      EXPECT_EQ(schema::text_at(event, {"involvedObject", "kind"}), "ReplicaSet");
      EXPECT_EQ(schema::text_at(event, {"involvedObject", "name"}), "ebb-controller-canary");
      EXPECT_EQ(schema::text_at(event, {"involvedObject", "uid"}), canary_uid());
      texts.push_back(fmt::format("{} {}: {}", schema::text_at(event, {"type"}),
                                  schema::text_at(event, {"reason"}),
                                  schema::text_at(event, {"message"})));
    }
    return texts;
  }
  [[nodiscard]] std::string canary_uid() {
    const auto one = testing::carry_out(served_, model::get_request(std::string(kCanary)));
    const auto document = boost::json::parse(one.response.body.str());
    return std::string(schema::text_at(document.as_object(), {"metadata", "uid"}));
  }
  void acknowledge() {
    const auto one = testing::carry_out(served_, model::get_request(std::string(kCanary)));
    const auto document = boost::json::parse(one.response.body.str());
    const auto generation =
        schema::integer_at(document.as_object(), {"metadata", "generation"}).value_or(0);
    const auto answer = testing::carry_out(
        served_, model::merge_patch_request(
                     fmt::format("{}/status", kCanary),
                     {{"status", {{"replicas", 0}, {"observedGeneration", generation}}}}));
    ASSERT_EQ(answer.response.code, 200);
  }
  // The number of events that begin with this text.
  [[nodiscard]] std::size_t count(std::string_view beginning) {
    std::size_t count = 0;
    for (const std::string& text : events()) count += text.starts_with(beginning) ? 1U : 0U;
    return count;
  }

  testing::ApiServerScene served_;
};

TEST_F(GuardEventsTest, SayOnTheCanaryWhetherItsControllerActs) {
  Scene scene(served_, guarded(), Scene::Cast::kReal);
  scene.start();
  scene.settle_for(10 * kSecond);
  EXPECT_EQ(count("Normal NotActing: ebb's replicaset-controller does not act: verifying that"),
            1U);
  scene.settle_for(60 * kSecond);
  EXPECT_EQ(count("Normal Acting: ebb's replicaset-controller acts"), 1U);
  EXPECT_EQ(count("Warning"), 0U);
  acknowledge();
  scene.settle_for(5 * kSecond);
  EXPECT_EQ(count("Warning NotActing: ebb's replicaset-controller does not act: another "), 1U);
}

TEST_F(GuardEventsTest, AreNotRepeatedWhileNothingChanges) {
  Scene scene(served_, guarded(), Scene::Cast::kReal);
  scene.start();
  for (int i = 0; i < 60; ++i) {
    scene.settle_for(5 * kSecond);
    acknowledge();
  }
  EXPECT_EQ(count("Warning NotActing"), 1U);
  EXPECT_EQ(count("Normal Acting"), 0U);
}

}  // namespace
}  // namespace ebb::control
