// Which pods belong to a scale-down, in whatever order the watches of pods and ReplicaSets show it.
#include "control/shadow/followed_scale_down.h"

#include <utility>

#include <gtest/gtest.h>

#include "support/control/shadow_scene.h"

namespace ebb::control {
namespace {

using testing::kSecond;

class FollowedScaleDownTest : public testing::ShadowScene {};

TEST_F(FollowedScaleDownTest, PodsThatAreGoneBeforeTheSizeIsSeenAreCandidates) {
  begin({"a", "b", "c", "d"});
  scene_.scale("web", 2);
  scene_.delete_pod("d", 30);
  scene_.delete_pod("c", 0);
  scene_.see(Resource::kPods);
  scene_.run();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(3 * kSecond);
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), (Names{"d", "c"}));
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(FollowedScaleDownTest, PodsThatWentEarlierAreNoCandidates) {
  begin({"a", "b", "c", "d"});
  scene_.delete_pod("a", 30);  // by a user, say
  scene_.create_pod("e", {.node = "node-e"});
  scene_.scale("web", 3);
  scene_.delete_pod("e");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"e"});
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(FollowedScaleDownTest, TheLastWordsOfAPodThatWentEarlierDoNotCount) {
  begin({"a", "b", "c"});
  scene_.delete_pod("a", 30);
  see();
  scene_.create_pod("d", {.node = "node-d"});
  see();
  scene_.pass_time(20 * kSecond);
  scene_.scale("web", 2);
  see();
  scene_.delete_pod("a", 0);
  see();
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.delete_pod("d");
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"d"});
}

TEST_F(FollowedScaleDownTest, AWatchOfPodsThatIsBehindChangesTheCandidatesLater) {
  begin({"a", "b", "c", "d"});
  scene_.delete_pod("a", 30);
  scene_.create_pod("e", {.node = "node-e"});
  scene_.scale("web", 3);
  scene_.delete_pod("e");
  scene_.see(Resource::kReplicaSets);
  scene_.run();
  see();
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"e"});
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(FollowedScaleDownTest, ANewSizeEndsTheComparisonAndBeginsAnother) {
  begin({"a", "b", "c", "d", "e"});
  scene_.scale("web", 3);
  scene_.delete_pod("e");
  scene_.scale("web", 2);
  scene_.delete_pod("d");
  scene_.delete_pod("a");
  see();
  ASSERT_EQ(scene_.decisions.size(), 2U);
  const Decision& first = scene_.decisions.front();
  ASSERT_EQ(first.actual->removed.size(), 1U);
  EXPECT_EQ(first.actual->removed.front().name, "e");
  EXPECT_EQ(first.actual->end, End::kResized);
  EXPECT_EQ(first.candidates, 5U);
  EXPECT_EQ(removed(), (Names{"d", "a!"}));
  EXPECT_EQ(decision().candidates, 4U);
}

TEST_F(FollowedScaleDownTest, ALargerSizeThatIsSeenAfterThePodsThatWentEndsTheComparison) {
  begin({"a", "b", "c"});
  scene_.scale("web", 2);
  see();
  scene_.scale("web", 3);
  scene_.delete_pod("c");
  scene_.see(Resource::kPods);
  scene_.run();
  EXPECT_TRUE(scene_.decisions.empty());
  see();
  scene_.pass_time(60 * kSecond);
  EXPECT_TRUE(scene_.decisions.empty());
}

TEST_F(FollowedScaleDownTest, PodsThatAreSeenBeforeANewSizeAreComparedOnlyWithThatSize) {
  begin({"a", "b", "c", "d", "e"});
  scene_.scale("web", 3);
  see();
  scene_.delete_pod("e");
  scene_.scale("web", 2);
  scene_.delete_pod("d");
  scene_.delete_pod("a");
  scene_.see(Resource::kPods);
  scene_.run();
  see();
  ASSERT_EQ(scene_.decisions.size(), 2U);
  ASSERT_EQ(scene_.decisions.front().actual->removed.size(), 1U);
  EXPECT_EQ(scene_.decisions.front().actual->removed.front().name, "e");
  EXPECT_EQ(scene_.decisions.front().actual->end, End::kResized);
  EXPECT_EQ(removed(), (Names{"d", "a!"}));
  EXPECT_EQ(scene_.labelled["agreed"], 2);
  EXPECT_EQ(scene_.labelled["other"], 1);
}

TEST_F(FollowedScaleDownTest, SizesThatAreSeenTogetherAreAllCompared) {
  begin({"a", "b", "c", "d", "e"});
  for (const auto& [size, pod] : {std::pair{4, "e"}, {3, "d"}, {2, "c"}, {1, "b"}}) {
    scene_.scale("web", size);
    scene_.delete_pod(pod);
  }
  see();
  EXPECT_EQ(scene_.decisions.size(), 4U);
  EXPECT_EQ(scene_.labelled["agreed"], 4);
}

TEST_F(FollowedScaleDownTest, WaitsForTheWatchOfReplicaSetsForTwoSeconds) {
  begin({"a", "b", "c"});
  scene_.scale("web", 2);
  see();
  scene_.delete_pod("c");
  scene_.see_all();
  scene_.run();
  scene_.pass_time(2 * kSecond - 1);
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(1);
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"c"});
  EXPECT_EQ(decision().actual->end, End::kComplete);
}

TEST_F(FollowedScaleDownTest, ALargerSizeEndsTheComparison) {
  begin({"a", "b", "c"});
  scene_.scale("web", 1);
  see();
  scene_.delete_pod("c");
  scene_.scale("web", 4);
  see();
  // The watch of pods may be behind.
  EXPECT_TRUE(scene_.decisions.empty());
  scene_.pass_time(2 * kSecond);
  ASSERT_EQ(scene_.decisions.size(), 1U);
  EXPECT_EQ(removed(), Names{"c"});
  EXPECT_EQ(decision().actual->end, End::kResized);
}

}  // namespace
}  // namespace ebb::control
