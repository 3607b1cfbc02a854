#include "control/cache/rank_carriers.h"

#include <limits>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using ranking::Publish;
using testing::World;

class RankCarriersTest : public ::testing::Test {
 protected:
  Pod pod() { return world_.pod("web-a"); }
  // With our companion of this value.
  Pod pod_of_ours(std::string_view companion) {
    Pod made = pod();
    made.numbers = world_.labels({{model::kPublishedCostAnnotation, companion}});
    return made;
  }
  static Pod with_cost(Pod pod, std::int32_t cost) {
    pod.deletion_cost = cost;
    pod.deletion_cost_set = true;
    pod.deletion_cost_valid = true;
    return pod;
  }
  World world_;
};

TEST_F(RankCarriersTest, ACostIsOursOnlyWithItsCompanion) {
  struct Case {
    Pod pod;
    std::optional<std::int32_t> rank;
    bool foreign;
  };
  Pod nonsense = pod_of_ours("3");
  nonsense.deletion_cost_set = true;  // but is not a number
  Pod beside_a_rank = with_cost(pod_of_ours("3"), 3);
  beside_a_rank.annotated_rank = 3;
  Pod named = with_cost(pod_of_ours("PodDeletionCost=-3"), -3);
  named.annotated_rank = -3;
  for (const Case& one :
       {Case{pod(), std::nullopt, false}, Case{with_cost(pod(), -3), std::nullopt, true},
        Case{with_cost(pod_of_ours("-3"), -3), 3, false},
        Case{with_cost(pod_of_ours("-3"), -4), std::nullopt, true},
        Case{with_cost(pod_of_ours("many"), -4), std::nullopt, true},
        Case{with_cost(pod_of_ours("PodDeletionCost=-3"), -3), 3, false},
        Case{with_cost(pod_of_ours("PodDeletionCost=-3"), -4), std::nullopt, true},
        Case{with_cost(pod_of_ours("Annotation=-3"), -3), std::nullopt, true},
        Case{with_cost(pod_of_ours("PodGroupCost=-3"), -3), std::nullopt, true},
        Case{with_cost(pod_of_ours("PodDeletionCost="), 0), std::nullopt, true},
        Case{with_cost(pod_of_ours("=-3"), -3), std::nullopt, true}, Case{named, 3, false},
        Case{pod_of_ours("-3"), std::nullopt, false}, Case{nonsense, std::nullopt, true},
        // An older version: the rank is ours, and the cost only happens to be the same number.
        Case{beside_a_rank, std::nullopt, true}}) {
    const RankOnPod found = rank_on_pod(one.pod, Publish::kPodDeletionCost);
    EXPECT_EQ(found.rank, one.rank) << one.pod.deletion_cost;
    EXPECT_EQ(found.foreign, one.foreign) << one.pod.deletion_cost;
  }
}

TEST_F(RankCarriersTest, RanksInTheAnnotationAndTheStatusAreKnownTheSameWay) {
  Pod ours = pod_of_ours("7");
  ours.annotated_rank = 7;
  ours.annotated_rank_set = true;
  ours.status_rank = 8;
  EXPECT_EQ(rank_on_pod(ours, Publish::kAnnotation).rank, 7);
  EXPECT_TRUE(rank_on_pod(ours, Publish::kStatusField).foreign);
  EXPECT_FALSE(carries_ours_elsewhere(ours, Publish::kAnnotation));
  EXPECT_TRUE(carries_ours_elsewhere(ours, Publish::kPodDeletionCost));
  EXPECT_TRUE(carries_ours_elsewhere(ours, Publish::kPodGroupCost));
  EXPECT_FALSE(carries_ours(pod()));
}

TEST_F(RankCarriersTest, ARankThatIsNotANumberIsForeign) {
  for (Pod nonsense : {pod(), pod_of_ours("Annotation=7"), pod_of_ours("7")}) {
    nonsense.annotated_rank_set = true;
    EXPECT_TRUE(rank_on_pod(nonsense, Publish::kAnnotation).foreign);
    EXPECT_FALSE(rank_on_pod(nonsense, Publish::kAnnotation).rank);
    take_off_ours(nonsense);
    EXPECT_TRUE(nonsense.annotated_rank_set);
  }
}

TEST_F(RankCarriersTest, PatchesNameTheVeryPodThatTheyWereMadeFrom) {
  Pod one = pod();
  one.revision = 42;
  const auto request = publish_request(one, Publish::kPodDeletionCost, 5);
  EXPECT_EQ(request.path, "/api/v1/namespaces/default/pods/web-a");
  EXPECT_EQ(request.content_type, "application/merge-patch+json");
  EXPECT_EQ(boost::json::parse(request.body), boost::json::parse(R"({"metadata":{"uid":"web-a",
      "resourceVersion":"42","annotations":{"ebb.dev/published-cost":"PodDeletionCost=-5",
      "controller.kubernetes.io/pod-deletion-cost":"-5"}}})"));
}

TEST_F(RankCarriersTest, EachCarrierIsWrittenInItsPlace) {
  const auto annotation = publish_request(pod(), Publish::kAnnotation, 5);
  EXPECT_NE(annotation.body.find(R"("scheduling.alpha.kubernetes.io/cost":"5")"),
            std::string::npos);
  const auto status = publish_request(pod(), Publish::kStatusField, 5);
  EXPECT_TRUE(status.path.ends_with("/pods/web-a/status"));
  EXPECT_NE(status.body.find(R"("status":{"cost":5})"), std::string::npos);
  EXPECT_NE(status.body.find(R"("ebb.dev/published-cost":"StatusField=5")"), std::string::npos);
}

TEST_F(RankCarriersTest, MovingToAnotherCarrierTakesTheOldValueAway) {
  const Pod moved = with_cost(pod_of_ours("-5"), -5);
  const auto request = publish_request(moved, Publish::kAnnotation, 5);
  EXPECT_NE(request.body.find(R"("controller.kubernetes.io/pod-deletion-cost":null)"),
            std::string::npos);
  EXPECT_NE(request.body.find(R"("ebb.dev/published-cost":"Annotation=5")"), std::string::npos);
}

TEST_F(RankCarriersTest, WithdrawingLeavesForeignValues) {
  const auto ours = withdraw_request(with_cost(pod_of_ours("-5"), -5));
  EXPECT_NE(ours.body.find(R"("controller.kubernetes.io/pod-deletion-cost":null)"),
            std::string::npos);
  const auto foreign = withdraw_request(with_cost(pod_of_ours("-5"), 17));
  EXPECT_EQ(foreign.body.find("pod-deletion-cost"), std::string::npos);
  EXPECT_NE(foreign.body.find(R"("ebb.dev/published-cost":null)"), std::string::npos);
}

TEST_F(RankCarriersTest, TheSignTurnsWithoutOverflow) {
  const auto request =
      publish_request(pod(), Publish::kPodDeletionCost, std::numeric_limits<std::int32_t>::min());
  EXPECT_NE(request.body.find(R"("2147483647")"), std::string::npos);
}

TEST_F(RankCarriersTest, AServerThatDroppedTheFieldIsNoticed) {
  EXPECT_TRUE(carries_status_rank(R"({"kind":"Pod","status":{"phase":"Running","cost":0}})"));
  EXPECT_FALSE(carries_status_rank(R"({"kind":"Pod","status":{"phase":"Running"}})"));
  EXPECT_FALSE(carries_status_rank(R"({"kind":"Pod","metadata":{"cost":3}})"));
}

}  // namespace
}  // namespace ebb::control
