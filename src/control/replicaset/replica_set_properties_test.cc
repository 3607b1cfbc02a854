// Whatever is lost, late or refused: never too many pods are created or deleted, and in the end
// the number is right. Schedules are random; a failure names the seed that repeats it.
#include <random>

#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;
using testing::kSecond;

// Plays a bad network between the controller and the API server.
class BadWeather {
 public:
  BadWeather(unsigned seed, int replicas, int pods, Safeguards safeguards = {})
      : scene(make_replica_set_controller, safeguards), random_(seed) {
    scene.create_set("web", replicas);
    for (int i = 0; i < pods; ++i) scene.create_pod("pod-" + std::to_string(i));
    scene.see_all();
    scene.run();
  }

  void play(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      land_what_is_due();
    }
  }
  // The faults stop.
  void end() {
    scene.pass_time(5 * kSecond);
    land_what_is_due();
    scene.settle();
  }

  std::size_t pick(std::size_t below) { return random_() % below; }

  ControllerScene scene;

 private:
  struct Late {
    Timestamp at;
    model::ApiRequest request;
  };

  void step() {
    const auto calls = scene.calls();
    const std::string call = calls.empty() ? "" : calls[pick(calls.size())];
    switch (pick(11)) {
      case 0:
        return scene.pass_time(static_cast<Nanoseconds>(pick(3'000)) * 1'000'000);
      case 1:
      case 2:
      case 3:
        if (scene.unseen() > 0) scene.see_next();
        return scene.run();
      case 4: {
        if (call.empty()) return;
        const Timestamp at =
            later_by(scene.now.mono, static_cast<Nanoseconds>(pick(5'000)) * 1'000'000);
        late_.push_back({at, scene.lose_first(call)});
        return;
      }
      case 5:
        if (call.empty()) return;
        return static_cast<void>(scene.lose_first(call));
      case 6:
        return change_a_cost();
      case 7:
        if (!call.empty()) scene.refuse(call, pick(2) == 0 ? 429 : 403);
        return;
      default:
        if (!call.empty()) scene.carry_out_first(call);
        return;
    }
  }

  // Another client writes a cost, which changes the victims.
  void change_a_cost() {
    const auto pods = scene.pods();
    if (pods.empty()) return;
    scene.patch("/api/v1/namespaces/shop/pods/" + pods[pick(pods.size())],
                R"({"metadata":{"annotations":{"controller.kubernetes.io/pod-deletion-cost":")" +
                    std::to_string(pick(100)) + R"("}}})");
  }

  void land_what_is_due() {
    std::vector<Late> later;
    for (Late& late : std::exchange(late_, {})) {
      if (late.at > scene.now.mono) {
        later.push_back(std::move(late));
      } else {
        scene.land(late.request);
      }
    }
    late_.insert(late_.end(), later.begin(), later.end());
  }

  std::mt19937 random_;
  std::vector<Late> late_;
};

TEST(ReplicaSetProperties, NeverMorePodsAreCreatedThanAreMissing) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    BadWeather weather(seed, 7, 2);
    for (int round = 0; round < 30; ++round) {
      weather.play(10);
      ASSERT_LE(weather.scene.pods().size(), 7U);
    }
    weather.end();
    ASSERT_EQ(weather.scene.pods().size(), 7U);
    ASSERT_EQ(weather.scene.status("web", "replicas"), "7");
  }
}

TEST(ReplicaSetProperties, NeverMorePodsAreDeletedThanAreTooMany) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    BadWeather weather(seed, 3, 8);
    for (int round = 0; round < 30; ++round) {
      weather.play(10);
      ASSERT_GE(weather.scene.pods().size(), 3U);
    }
    weather.end();
    ASSERT_EQ(weather.scene.pods().size(), 3U);
    ASSERT_TRUE(weather.scene.messages("SuccessfulCreate").empty());
  }
}

// The tests above detect that a safeguard, with the one that overlaps it, is missing.
TEST(ReplicaSetProperties, WithoutSafeguardsTooMuchHappens) {
  const Safeguards no_memory{.expectations = false, .stale_cache_protection = false};
  const Safeguards no_repetition{.repeats_unknown_deletes = false};
  bool too_many = false;
  bool too_few = false;
  bool too_few_again = false;
  for (unsigned seed = 0; seed < 40; ++seed) {
    BadWeather up(seed, 7, 2, no_memory);
    BadWeather down(seed, 3, 8, no_memory);
    BadWeather forgetful(seed, 3, 8, no_repetition);
    for (int round = 0; round < 30; ++round) {
      up.play(10);
      down.play(10);
      forgetful.play(10);
      too_many = too_many || up.scene.pods().size() > 7;
      too_few = too_few || down.scene.pods().size() < 3;
      too_few_again = too_few_again || forgetful.scene.pods().size() < 3;
    }
  }
  EXPECT_TRUE(too_many);
  EXPECT_TRUE(too_few);
  EXPECT_TRUE(too_few_again);
}

TEST(ReplicaSetProperties, InTheEndTheNumberIsRightWhateverWasWantedOnTheWay) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    BadWeather weather(seed, 5, 5);
    int replicas = 5;
    for (int round = 0; round < 12; ++round) {
      replicas = static_cast<int>(weather.pick(9));
      weather.scene.scale("web", replicas);
      if (const auto pods = weather.scene.pods(); !pods.empty() && weather.pick(2) == 0) {
        weather.scene.delete_pod(pods[weather.pick(pods.size())]);
      }
      weather.play(20);
    }
    weather.end();
    ASSERT_EQ(weather.scene.pods().size(), static_cast<std::size_t>(replicas));
    ASSERT_EQ(weather.scene.status("web", "replicas"), std::to_string(replicas));
  }
}

}  // namespace
}  // namespace ebb::control
