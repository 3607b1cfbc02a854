#include "control/webhook/fence_rules.h"

#include <functional>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

using enum FenceVerdict;

constexpr Nanoseconds kWindow = 5 * kNanosecondsPerSecond;

// A delete that is refused: 4 pods are to stay, 4 that were not chosen are there, and this is one
// of them.
struct Situation {
  ReviewedDelete removal{.pod_uid = "other", .set = "web", .set_uid = "u", .serving = true};
  KnownDecision decision{.id = "d",
                         .size = 4,
                         .cost = -10,
                         .first_seen = Timestamp::from_seconds(100),
                         .victims = {"chosen"}};
  bool knows_decision = true;
  std::int32_t replicas = 4;
  std::size_t others = 4;
  Timestamp mono = Timestamp::from_seconds(101);

  [[nodiscard]] FenceVerdict judge() const {
    return judge_delete({.removal = removal,
                         .decision = knows_decision ? &decision : nullptr,
                         .replicas = replicas,
                         .others = others,
                         .mono = mono,
                         .window_ns = kWindow});
  }
};

struct FenceCase {
  std::string_view name;
  std::function<void(Situation&)> change;
  FenceVerdict verdict;
};

TEST(FenceRules, RefuseOnlyReadyPodsThatWereNotChosenInTheWindow) {
  const FenceCase cases[] = {
      {"as it is", [](Situation&) {}, kRefused},
      {"it was chosen", [](Situation& s) { s.removal.pod_uid = "chosen"; }, kVictim},
      {"it was chosen, after the window",
       [](Situation& s) {
         s.removal.pod_uid = "chosen";
         s.mono = Timestamp::from_seconds(1'000);
       },
       kVictim},
      {"no ReplicaSet controls it", [](Situation& s) { s.removal.set = ""; }, kUnconcerned},
      {"it does not serve", [](Situation& s) { s.removal.serving = false; }, kNotServing},
      {"it goes already", [](Situation& s) { s.removal.deleting = true; }, kNotServing},
      {"it is disrupted", [](Situation& s) { s.removal.disrupted = true; }, kDisrupted},
      {"the delete has options", [](Situation& s) { s.removal.plain = false; }, kOtherOptions},
      {"all pods go", [](Situation& s) { s.replicas = 0; }, kAllGo},
      {"no decision is known", [](Situation& s) { s.knows_decision = false; }, kNoDecision},
      {"just before the window ends",
       [](Situation& s) { s.mono = Timestamp::from_nanoseconds(105'000'000'000 - 1); }, kRefused},
      {"the window is over", [](Situation& s) { s.mono = Timestamp::from_seconds(105); },
       kWindowOver},
      {"one more is there", [](Situation& s) { s.others = 5; }, kEnoughOthers},
      {"fewer are there", [](Situation& s) { s.others = 3; }, kRefused},
      {"the cache shows the old size", [](Situation& s) { s.replicas = 60; }, kRefused},
      {"the cache shows a still smaller size", [](Situation& s) { s.replicas = 3; }, kEnoughOthers},
      {"the decision was for a smaller size than there is now",
       [](Situation& s) {
         s.decision.size = 2;
         s.others = 2;
       },
       kRefused},
  };
  for (const FenceCase& one : cases) {
    Situation situation;
    one.change(situation);
    EXPECT_EQ(situation.judge(), one.verdict) << one.name << ": " << to_string(situation.judge());
  }
}

TEST(FenceRules, HaveANameForEachVerdict) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(kEnoughOthers); ++i) {
    EXPECT_TRUE(names.insert(to_string(static_cast<FenceVerdict>(i))).second) << i;
  }
}

}  // namespace
}  // namespace ebb::control
