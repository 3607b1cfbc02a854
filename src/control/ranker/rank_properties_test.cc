// Whatever ranks are published, and whenever: never more pods go than the surplus, they go one by
// one if ranks are recomputed, and the final number is right. A failure prints the seed that
// repeats it.
#include <algorithm>
#include <random>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/replicaset/replica_set_controller.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using testing::ControllerScene;

constexpr std::string_view kEbb = "/apis/ebb.dev/v1alpha1/namespaces/shop/";

class StrangeRanker {
 public:
  explicit StrangeRanker(unsigned seed) : random_(seed) {
    if (pick(2) == 0) create_policy();
    scene.create_set("web", 6);
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
  // The last size stays, and the ranker stops: at most half a minute for each pod.
  void end() {
    for (int i = 0; i < 15; ++i) {
      scene.settle();
      scene.pass_time(30 * kSecond);
      check_decisions();
    }
  }

  ControllerScene scene{make_replica_set_controller};
  int replicas = 6;

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  void add_pod() { scene.create_pod("pod-" + std::to_string(++made_), {.ready = pick(5) > 0}); }

  void create_policy() {
    scene.request(model::Method::kPost, fmt::format("{}downscalepolicies", kEbb),
                  fmt::format(
                      R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                 "metadata":{{"name":"web"}},"spec":{{"targetRef":{{"kind":"ReplicaSet","name":"web"}},
                 "ranking":{{"waitSeconds":{},"strategies":[{{"name":"{}"}}]}}}}}})",
                      pick(5), pick(2) == 0 ? "AntiAffinity" : "Oldest"));
  }

  // Sometimes for all, sometimes of a status that is right.
  void publish() {
    json::object costs;
    const std::size_t left_out = pick(2) == 0 ? 0 : 1 + pick(4);
    for (const std::string& pod : scene.pods()) {
      if (left_out == 0 || pick(left_out + 1) > 0) costs[pod] = pick(4);
    }
    scene.request(model::Method::kDelete, fmt::format("{}podgroupcosts/web", kEbb));
    scene.request(model::Method::kPost, fmt::format("{}podgroupcosts", kEbb),
                  fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost",
                       "metadata":{{"name":"web"}},"spec":{{"owner":{{"kind":"ReplicaSet",
                       "name":"web"}},"costs":{}}}}})",
                              json::serialize(costs)));
    if (pick(2) == 0) return;
    scene.request(model::Method::kPatch, fmt::format("{}podgroupcosts/web/status", kEbb),
                  fmt::format(R"({{"status":{{"recompute":{},"observedGeneration":{},
                       "podSetHash":"{}"}}}})",
                              pick(3) == 0, pick(4) == 0 ? 7 : 1, "of-nobody"));
  }

  void annotate() {
    const auto pods = scene.pods();
    if (pods.empty()) return;
    scene.patch("/api/v1/namespaces/shop/pods/" + pods[pick(pods.size())],
                fmt::format(R"({{"metadata":{{"annotations":
                    {{"scheduling.alpha.kubernetes.io/cost":"{}"}}}}}})",
                            pick(5)));
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
        return scene.pass_time(static_cast<Nanoseconds>(pick(5'000)) * kMillisecond);
      case 4:
        return publish();
      case 5:
      case 6:
        return annotate();
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
      ASSERT_GT(decision.victims.size(), 0U);
      ASSERT_LE(decision.victims.size(), static_cast<std::size_t>(decision.from - decision.to));
      ASSERT_LE(decision.victims.size(), decision.candidates);
      const bool ranked = decision.ranking && decision.ranking->recompute && decision.to > 0 &&
                          decision.ranking->outcome != RankOutcome::kNotNeeded;
      const auto by_rank =
          std::count_if(decision.victims.begin(), decision.victims.end(), [](const auto& victim) {
            return victim.rule != "Unassigned" && victim.rule != "Phase" &&
                   victim.rule != "NotReady";
          });
      if (ranked) {
        ASSERT_LE(by_rank, 1);
      }
    }
  }

  std::mt19937 random_;
  int made_ = 0;
  std::size_t looked_at_ = 0;
};

TEST(RankProperties, RanksChangeWhichPodsGoAndWhenAndNeverHowMany) {
  std::map<RankOutcome, std::size_t> outcomes;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    StrangeRanker world(seed);
    world.play(200);
    world.end();
    ASSERT_EQ(world.scene.pods().size(), static_cast<std::size_t>(world.replicas));
    ASSERT_EQ(world.scene.status("web", "replicas"), std::to_string(world.replicas));
    for (const Decision& decision : world.scene.decisions) {
      if (decision.ranking) ++outcomes[decision.ranking->outcome];
    }
  }
  for (const RankOutcome outcome :
       {RankOutcome::kRanked, RankOutcome::kNotNeeded, RankOutcome::kUnpublished,
        RankOutcome::kIncomplete, RankOutcome::kStale}) {
    EXPECT_GT(outcomes[outcome], 5U) << to_string(outcome);
  }
}

}  // namespace
}  // namespace ebb::control
