// Scale-downs with a picker, from the wish to the victims.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/agenda.h"
#include "control/replica_set_controller.h"
#include "support/controller_scene.h"
#include "support/pods.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;

constexpr std::string_view kPicker =
    R"({"downscalePodPicker":{"http":{"host":"picker"},"timeoutSeconds":2,"maxRetries":1}})";
constexpr std::string_view kSet = "/apis/apps/v1/namespaces/shop/replicasets/web";

class PickerPassTest : public ::testing::Test {
 protected:
  // `web` wants `replicas` of these pods.
  void begin(int replicas, const Names& pods, std::string_view spec = kPicker) {
    scene_.create_set("web", replicas, spec);
    for (const std::string& pod : pods) scene_.create_pod(pod);
    scene_.settle_but_for_timers();
  }
  Names victims() const {
    Names names;
    for (const Decision::Victim& victim : scene_.decisions.back().victims) {
      names.push_back(victim.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  const Decision::Picker& record() const { return *scene_.decisions.back().picker; }

  ControllerScene scene_{make_replica_set_controller};
};

TEST_F(PickerPassTest, ThePickerIsAskedAndItsChoiceGoes) {
  begin(2, {"a", "b", "c", "d"});
  ASSERT_EQ(scene_.questions.size(), 1U);
  EXPECT_TRUE(scene_.decisions.empty());
  EXPECT_EQ(scene_.pods().size(), 4U);
  scene_.answer_question({"b"}, {"d"});
  scene_.settle();
  EXPECT_EQ(scene_.pods(), (Names{"a", "c"}));
  EXPECT_EQ(victims(), (Names{"b", "d"}));
  EXPECT_EQ(record().outcome, Outcome::kAnswered);
  EXPECT_EQ(record().carrier, "spec.downscalePodPicker");
  EXPECT_EQ(record().endpoint, "http://picker:80");
  EXPECT_EQ(record().attempts, 1);
  EXPECT_EQ(record().requested, 2U);
  EXPECT_EQ(record().chosen, 1U);
  EXPECT_EQ(record().tied, 1U);
  EXPECT_EQ(scene_.messages("DownscaleDecision"),
            Names{"2 of 4 pods go: 2 by picker rank; the picker answered"});
}

TEST_F(PickerPassTest, WhileItIsAskedStatusIsWrittenAndNothingGoes) {
  begin(2, {"a", "b", "c"});
  ASSERT_EQ(scene_.questions.size(), 1U);
  EXPECT_EQ(scene_.status("web", "replicas"), "3");
  scene_.patch("/api/v1/namespaces/shop/pods/a/status", R"({"status":{"conditions":[]}})");
  scene_.create_pod("d");
  scene_.settle_but_for_timers();
  EXPECT_EQ(scene_.status("web", "readyReplicas"), "3");
  EXPECT_EQ(scene_.status("web", "replicas"), "4");
  EXPECT_EQ(scene_.pods().size(), 4U);
  EXPECT_EQ(scene_.questions.size(), 1U);
}

TEST_F(PickerPassTest, WhenItsTimeIsUpTheDefaultOrderDecides) {
  begin(1, {"a", "b"});
  scene_.pass_time(2 * kSecond - 1);
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(1);
  scene_.settle();
  EXPECT_EQ(scene_.withdrawn, std::vector<picker::CallId>{1});
  EXPECT_EQ(record().outcome, Outcome::kTimeout);
  EXPECT_EQ(record().duration_ns, 2 * kSecond);
  EXPECT_EQ(scene_.pods().size(), 1U);
  EXPECT_EQ(scene_.messages("PickerFailed"),
            Names{"The default order decides, because of the picker: timeout"});
}

}  // namespace
}  // namespace ebb::control
