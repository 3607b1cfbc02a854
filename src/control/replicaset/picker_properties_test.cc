// Whatever pickers answer, and whenever: as many pods go as are too many at that moment, all of
// them were candidates, and in the end the number is right. A failure names the seed that repeats
// it.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using testing::ControllerScene;
using testing::kSecond;

constexpr std::string_view kPicker =
    R"({"downscalePodPicker":{"http":{"host":"picker"},"timeoutSeconds":2,"maxRetries":2}})";

class StrangePicker {
 public:
  explicit StrangePicker(unsigned seed) : random_(seed) {
    scene.create_set("web", 6, kPicker);
    for (int i = 0; i < 9; ++i) add_pod();
    scene.see_all();
    scene.run();
  }

  void play(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      check_decisions();
    }
  }
  void end() {
    // The last size stays, and the picker falls silent.
    for (int i = 0; i < 5; ++i) {
      scene.settle();
      scene.pass_time(3 * kSecond);
      check_decisions();
    }
  }

  ControllerScene scene{make_replica_set_controller};
  int replicas = 6;

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  void add_pod() { scene.create_pod("pod-" + std::to_string(++made_), {.ready = pick(5) > 0}); }

  // Most are of pods, some of which were not there when it was asked.
  std::vector<std::string> some_names() {
    const auto pods = scene.pods();
    std::vector<std::string> names;
    for (std::size_t i = pick(5); i > 0; --i) {
      const bool real = !pods.empty() && pick(4) > 0;
      names.push_back(real ? pods[pick(pods.size())] : "pod-" + std::to_string(pick(20)));
    }
    return names;
  }

  void reply() {
    if (scene.picker_requests.empty()) return;
    // Perhaps an old one, which was answered or withdrawn long ago.
    const std::size_t which =
        pick(4) == 0 ? pick(scene.picker_requests.size()) : scene.picker_requests.size() - 1;
    const picker::CallId id = scene.picker_requests[which].id;
    picker::Reply reply{.outcome = pick(2) == 0 ? Outcome::kAnswered : kFailures[pick(7)],
                        .repeatable = pick(2) == 0,
                        .answer = {.chosen = some_names(), .tied = some_names()}};
    scene.controller().picker_replied(id, reply, scene.now);
    scene.run();
  }

  void step() {
    const auto calls = scene.calls();
    switch (pick(14)) {
      case 0:
        replicas = static_cast<int>(pick(10));
        return scene.scale("web", replicas);
      case 1:
        return add_pod();
      case 2:
        if (const auto pods = scene.pods(); !pods.empty()) {
          scene.delete_pod(pods[pick(pods.size())]);
        }
        return;
      case 3:
        return scene.pass_time(static_cast<Nanoseconds>(pick(1'500)) * 1'000'000);
      case 4:
      case 5:
      case 6:
        return reply();
      case 7:
      case 8:
      case 9:
        if (scene.unseen() > 0) scene.see_next();
        return scene.run();
      default:
        if (!calls.empty()) scene.carry_out_first(calls[pick(calls.size())]);
        return;
    }
  }

  void check_decisions() {
    for (; looked_at_ < scene.decisions.size(); ++looked_at_) {
      const Decision& decision = scene.decisions[looked_at_];
      const auto surplus = static_cast<std::size_t>(decision.from - decision.to);
      // An answer serves as many as were asked about, which may be fewer than are too many by now.
      const bool answered = decision.picker && decision.picker->attempts > 0;
      ASSERT_LE(decision.victims.size(), surplus);
      ASSERT_GT(decision.victims.size(), 0U);
      if (!answered) {
        ASSERT_EQ(decision.victims.size(), surplus);
      }
      ASSERT_LE(decision.victims.size(), decision.candidates);
    }
  }

  static constexpr Outcome kFailures[] = {
      Outcome::kEmpty,      Outcome::kTimeout,  Outcome::kRefused,  Outcome::kTls,
      Outcome::kStatusCode, Outcome::kOversize, Outcome::kMalformed};
  std::mt19937 random_;
  int made_ = 0;
  std::size_t looked_at_ = 0;
};

TEST(PickerProperties, ThePickerChangesWhichPodsGoAndNeverHowMany) {
  std::size_t answered = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    StrangePicker world(seed);
    world.play(300);
    world.end();
    ASSERT_EQ(world.scene.pods().size(), static_cast<std::size_t>(world.replicas));
    ASSERT_EQ(world.scene.status("web", "replicas"), std::to_string(world.replicas));
    for (const Decision& decision : world.scene.decisions) {
      answered += decision.picker && decision.picker->outcome == Outcome::kAnswered ? 1 : 0;
    }
  }
  EXPECT_GT(answered, 50U);
}

}  // namespace
}  // namespace ebb::control
