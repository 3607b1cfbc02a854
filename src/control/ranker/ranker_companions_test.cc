// Whether a published value belongs to the ranker or to another program that writes in the same
// place.
#include "support/control/ranker_scene.h"

namespace ebb::control {
namespace {

constexpr std::string_view kRank = "scheduling.alpha.kubernetes.io/cost";
constexpr std::string_view kWeight = R"([{"name":"Weight","args":{"label":"weight"}}])";

class RankerCompanionsTest : public RankerTest {
 protected:
  void annotate(std::string_view pod, std::string_view key, std::string_view value) {
    scene_.patch(pod_path(pod),
                 fmt::format(R"({{"metadata":{{"annotations":{{"{}":"{}"}}}}}})", key, value));
    scene_.settle();
  }
  void delete_policy() {
    scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
    scene_.settle();
  }
};

TEST_F(RankerCompanionsTest, AnEqualNumberElsewhereOnThePodIsForeign) {
  zones();
  for (const char* name : {"p1", "p2", "p3"}) pod(name, "a1");
  scene_.patch(pod_path("p2"), R"({"metadata":{"labels":{"weight":"1"}}})");
  scene_.patch(pod_path("p3"), R"({"metadata":{"labels":{"weight":"2"}}})");
  policy("PodDeletionCost", kWeight);
  scene_.settle();
  ASSERT_EQ(cost("p1"), "0");
  EXPECT_EQ(annotation("p1", kCompanion), "PodDeletionCost=0");
  annotate("p1", kRank, "0");
  // Ours goes on being ours.
  scene_.patch(pod_path("p1"), R"({"metadata":{"labels":{"weight":"5"}}})");
  scene_.settle();
  EXPECT_EQ(cost("p1"), "-5");
  EXPECT_EQ(report().reason, "");
  delete_policy();
  EXPECT_EQ(cost("p1"), "");
  EXPECT_EQ(annotation("p1", kCompanion), "");
  EXPECT_EQ(annotation("p1", kRank), "0");
}

TEST_F(RankerCompanionsTest, AForeignValueStaysForeignWhenItBecomesEqual) {
  zones();
  for (const char* name : {"p1", "p2", "p3"}) pod(name, "a1");
  policy("PodDeletionCost");
  scene_.settle();
  ASSERT_EQ(cost("p3"), "-3");
  annotate("p3", kCost, "100");
  EXPECT_EQ(cost("p3"), "100");
  EXPECT_EQ(annotation("p3", kCompanion), "");
  EXPECT_EQ(report().reason, "ForeignValues");
  annotate("p3", kCost, "-3");
  EXPECT_EQ(report().reason, "ForeignValues");
  delete_policy();
  EXPECT_EQ(cost("p3"), "-3");
  EXPECT_EQ(cost("p1"), "");
}

// Also where the second value comes while the companion waits to be taken away.
TEST_F(RankerCompanionsTest, NorWhileTheCompanionWaitsToBeTakenAway) {
  zones();
  for (int i = 0; i < 33; ++i) pod(fmt::format("p{:02}", i), "a1");
  policy("PodDeletionCost");
  scene_.settle();
  ASSERT_EQ(cost("p00"), "-1");
  for (int i = 0; i < 33; ++i) {
    scene_.patch(pod_path(fmt::format("p{:02}", i)),
                 fmt::format(R"({{"metadata":{{"annotations":{{"{}":"100"}}}}}})", kCost));
  }
  scene_.see_all();
  scene_.run();
  ASSERT_EQ(scene_.calls().size(), 32U);
  std::string waiting;
  for (int i = 0; i < 33; ++i) {
    const std::string name = fmt::format("p{:02}", i);
    if (scene_.count_calls("PATCH pods/" + name) == 0) waiting = name;
  }
  const std::string before = annotation(waiting, kCompanion);
  scene_.patch(pod_path(waiting), fmt::format(R"({{"metadata":{{"annotations":{{"{}":"{}"}}}}}})",
                                              kCost, before.substr(before.find('=') + 1)));
  scene_.see_all();
  scene_.carry_out("PATCH");
  scene_.settle();
  EXPECT_NE(cost(waiting), "");
  EXPECT_EQ(annotation(waiting, kCompanion), "");
}

TEST_F(RankerCompanionsTest, ACompanionOfAnOlderVersionCountsForTheValueThatIsEqual) {
  zones();
  pod("p1", "a1",
      R"({"controller.kubernetes.io/pod-deletion-cost":"-7","ebb.dev/published-cost":"-7"})");
  pod("p2", "a1");
  policy("PodDeletionCost");
  scene_.settle();
  EXPECT_EQ(report().reason, "");
  EXPECT_EQ(cost("p1"), "-7");
  EXPECT_EQ(cost("p2"), "-8");
  delete_policy();
  EXPECT_EQ(cost("p1"), "");
  EXPECT_EQ(annotation("p1", kCompanion), "");
}

}  // namespace
}  // namespace ebb::control
