// Ranks as PodGroupCosts.
#include "support/control/ranker_scene.h"

namespace ebb::control {
namespace {

TEST_F(RankerTest, WritesAPodGroupCostThatBelongsToItsReplicaSet) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  policy("PodGroupCost");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 1, p2 2");
  const auto object = scene_.get(cost_path());
  const auto set = scene_.get("/apis/apps/v1/namespaces/shop/replicasets/web");
  const auto uid = schema::text_at(set, {"metadata", "uid"});
  EXPECT_EQ(schema::text_at(object, {"spec", "owner", "uid"}), uid);
  EXPECT_EQ(schema::text_at(object, {"metadata", "labels", "app.kubernetes.io/managed-by"}),
            "ebb-ranker");
  const auto* const owners = schema::array_at(object, {"metadata", "ownerReferences"});
  ASSERT_NE(owners, nullptr);
  EXPECT_EQ(schema::text_at(owners->at(0).as_object(), {"uid"}), uid);
  EXPECT_EQ(schema::integer_at(object, {"status", "observedGeneration"}),
            schema::integer_at(object, {"metadata", "generation"}));
  EXPECT_FALSE(schema::text_at(object, {"status", "podSetHash"}).empty());
  EXPECT_EQ(scene_.history, (Names{"POST podgroupcosts", "PATCH podgroupcosts/web/status"}));
}

TEST_F(RankerTest, DoesNotRepeatAStatusThatTheServerDrops) {
  zones();
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.see_all();
  scene_.run();
  scene_.carry_out("POST");
  // Its definition is an older one, and drops what it does not know.
  for (int i = 0; i < 5; ++i) {
    if (scene_.count_calls("PATCH") > 0) {
      scene_.answer_with("PATCH", boost::json::serialize(scene_.get(cost_path())));
    }
    scene_.see_all();
    scene_.pass_time(10 * kSecond);
  }
  EXPECT_EQ(sent("PATCH"), 1U);
}

TEST_F(RankerTest, WritesThePodGroupCostAgainOnlyIfTheOrderChangedOrAPodIsMissing) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "a1");
  policy("PodGroupCost");
  scene_.settle();
  scene_.history.clear();
  // Names of pods that are gone are ignored, and the order of the others stays.
  scene_.delete_pod("p2");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
  pod("p4", "b1");
  scene_.settle();
  EXPECT_EQ(scene_.history, (Names{"PATCH podgroupcosts/web", "PATCH podgroupcosts/web/status"}));
  EXPECT_EQ(group_costs().find("p2"), std::string::npos);
}

TEST_F(RankerTest, LeavesAPodGroupCostAloneThatItDidNotMake) {
  zones();
  scene_.request(
      model::Method::kPost, fmt::format("{}/podgroupcosts", kOurs),
      R"({"apiVersion":"ebb.dev/v1alpha1","kind":"PodGroupCost","metadata":{"name":"web"},
                     "spec":{"owner":{"kind":"ReplicaSet","name":"web"},"costs":{"p1":77}}})",
      201);
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 77");
  EXPECT_EQ(report().reason, "ForeignPodGroupCost");
  EXPECT_EQ(report().pods, 0U);
  scene_.request(model::Method::kDelete, policy_path(), "{}", 200);
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 77");
}

TEST_F(RankerTest, ReplacesThePodGroupCostOfAnEarlierReplicaSetOfTheSameName) {
  zones();
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.settle();
  const std::string first(schema::text_at(scene_.get(cost_path()), {"metadata", "uid"}));
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web",
                 R"({"propagationPolicy":"Background"})", 200);
  scene_.delete_pod("p1");
  scene_.settle();
  EXPECT_EQ(group_costs(), "");
  scene_.create_set("web", 1);
  pod("p2", "a1");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p2 1");
  EXPECT_NE(schema::text_at(scene_.get(cost_path()), {"metadata", "uid"}), first);
}

TEST_F(RankerTest, AGroupThatIsEmptyAndShallBeHasNoPodGroupCost) {
  zones();
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.settle();
  ASSERT_EQ(group_costs(), "p1 1");
  // Its pods are gone for a moment.
  scene_.delete_pod("p1");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p1 1");
  scene_.scale("web", 0);
  scene_.settle();
  EXPECT_EQ(group_costs(), "");
  EXPECT_EQ(sent("DELETE podgroupcosts/web"), 1U);
  scene_.history.clear();
  scene_.scale("web", 1);
  scene_.settle();
  pod("p2", "");
  scene_.settle();
  EXPECT_EQ(scene_.history, Names());
  scene_.delete_pod("p2");
  pod("p3", "a1");
  scene_.settle();
  EXPECT_EQ(group_costs(), "p3 1");
  EXPECT_EQ(scene_.history, (Names{"POST podgroupcosts", "PATCH podgroupcosts/web/status"}));
}

TEST_F(RankerTest, AnEmptyGroupIsClearedAwayAlsoWhereItIsNowPublishedElsewhere) {
  zones();
  pod("p1", "a1");
  policy("PodGroupCost");
  scene_.settle();
  scene_.delete_pod("p1");
  scene_.patch(policy_path(), R"({"spec":{"ranking":{"publish":"PodDeletionCost"}}})");
  scene_.settle();
  EXPECT_EQ(group_costs(), "");
}

TEST_F(RankerTest, RanksThatMustBeRecomputedFollowThePodsAtOnce) {
  zones();
  pod("p1", "a1");
  pod("p2", "a1");
  pod("p3", "b1");
  policy("PodGroupCost", R"([{"name":"AntiAffinity"}])");
  scene_.settle_but_for_timers();
  const auto status = [&] { return scene_.get(cost_path())["status"].as_object(); };
  EXPECT_TRUE(schema::is_true_at(status(), {"recompute"}));
  const std::string before(schema::text_at(status(), {"podSetHash"}));
  scene_.delete_pod("p3");
  scene_.settle_but_for_timers();
  const std::string after(schema::text_at(status(), {"podSetHash"}));
  EXPECT_NE(after, before);
  EXPECT_EQ(schema::integer_at(scene_.get(cost_path()), {"metadata", "generation"}),
            schema::integer_at(status(), {"observedGeneration"}));
}

}  // namespace
}  // namespace ebb::control
