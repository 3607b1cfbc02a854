// A ReplicaSet with some pods, for tests of failure handling.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"

namespace ebb::testing {

class ReplicaSetFaults : public ::testing::Test {
 protected:
  void start_with_pods(int replicas, int pods) {
    scene_.create_set("web", replicas);
    for (int i = 0; i < pods; ++i) scene_.create_pod(std::string(1, static_cast<char>('a' + i)));
    scene_.see_all();
    scene_.run();
  }
  std::size_t ever_sent(std::string_view beginning) const {
    return static_cast<std::size_t>(
        std::count_if(scene_.history.begin(), scene_.history.end(),
                      [&](const std::string& call) { return call.starts_with(beginning); }));
  }

  // The reported results of deletes of unknown outcome.
  std::vector<std::string> settled() const {
    std::vector<std::string> outcomes;
    for (const control::LateOutcomes& late_outcomes : scene_.late_outcomes) {
      EXPECT_EQ(late_outcomes.decision, scene_.decisions.at(0).id);
      for (const control::LateOutcomes::Pod& pod : late_outcomes.pods)
        outcomes.push_back(pod.outcome);
    }
    return outcomes;
  }

  ControllerScene scene_{control::make_replica_set_controller};
};

}  // namespace ebb::testing
