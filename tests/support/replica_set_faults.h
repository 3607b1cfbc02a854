// A ReplicaSet with some pods, for tests of what its controller does when things go wrong.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "control/replica_set_controller.h"
#include "support/controller_scene.h"

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

  // What became of deletes of unknown outcome, as far as that was told.
  std::vector<std::string> settled() const {
    std::vector<std::string> outcomes;
    for (const control::Settlement& settlement : scene_.settlements) {
      EXPECT_EQ(settlement.decision, scene_.decisions.at(0).id);
      for (const control::Settlement::Pod& pod : settlement.pods) outcomes.push_back(pod.outcome);
    }
    return outcomes;
  }

  ControllerScene scene_{control::make_replica_set_controller};
};

}  // namespace ebb::testing
