// What a ReplicaSet controller does when all goes well, after upstream's own scenarios.
#include "control/replica_set_controller.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/controller_scene.h"
#include "support/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;

class ReplicaSetControllerTest : public ::testing::Test {
 protected:
  // A ReplicaSet `web` with Ready pods a, b, c ...; everything is seen.
  void start_with_pods(int replicas, int pods, std::string_view spec = "{}") {
    scene_.create_set("web", replicas, spec);
    for (int i = 0; i < pods; ++i) scene_.create_pod(std::string(1, static_cast<char>('a' + i)));
    scene_.see_all();
  }

  ControllerScene scene_{make_replica_set_controller};
};

TEST_F(ReplicaSetControllerTest, DoesNothingButWriteTheStatusWhenTheNumberIsRight) {
  start_with_pods(2, 2);
  scene_.run();
  EXPECT_EQ(scene_.calls(), Names{"PUT replicasets/web/status"});
  scene_.settle();
  EXPECT_EQ(scene_.history.size(), 1U);
  EXPECT_EQ(scene_.status("web", "readyReplicas"), "2");
  EXPECT_EQ(scene_.status("web", "observedGeneration"), "1");
}

TEST_F(ReplicaSetControllerTest, CreatesMissingPodsInGrowingBatches) {
  scene_.create_set("web", 10);
  scene_.see_all();
  scene_.run();
  for (const std::size_t batch : {1U, 2U, 4U, 3U}) {
    EXPECT_EQ(scene_.count_calls("POST pods"), batch);
    scene_.carry_out("POST pods");
  }
  scene_.settle();
  EXPECT_EQ(scene_.pods().size(), 10U);
  EXPECT_EQ(scene_.messages("SuccessfulCreate").size(), 10U);
  EXPECT_EQ(scene_.messages("SuccessfulCreate")[0].find("Created pod: web-"), 0U);
  EXPECT_EQ(scene_.status("web", "replicas"), "10");
}

}  // namespace
}  // namespace ebb::control
