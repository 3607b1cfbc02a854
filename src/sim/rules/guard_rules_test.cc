// The rule for I10 detects violations.
#include "sim/rules/guard_rules.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "sim/core/objects.h"
#include "sim/core/truth.h"

namespace ebb::sim {
namespace {

class GuardRulesTest : public ::testing::Test {
 protected:
  GuardRulesTest() { options_.canary_name = "ebb"; }

  void pass(Nanoseconds duration) { time_.step(later_by(time_.now(), duration)); }
  void canary(std::int64_t generation, std::int64_t observed, bool gone = false) {
    using Type = model::ObjectEvent::Type;
    rules_.apply({gone ? Type::kDeleted : Type::kModified, &replica_sets(),
                  std::make_shared<const boost::json::object>(
                      boost::json::object{{"metadata",
                                           {{"namespace", "kube-system"},
                                            {"name", "ebb"},
                                            {"uid", "u"},
                                            {"generation", generation}}},
                                          {"status", {{"observedGeneration", observed}}}})});
  }
  void renew_manager_lease() {
    rules_.apply(
        {model::ObjectEvent::Type::kModified, model::lease_kind(),
         std::make_shared<const boost::json::object>(boost::json::object{
             {"metadata", {{"namespace", "kube-system"}, {"name", "kube-controller-manager"}}}})});
  }
  // Whether a delete of a pod may be sent now.
  [[nodiscard]] bool may_send() {
    control::Call call{.kind = control::Call::Kind::kWrite};
    call.request.method = model::Method::kDelete;
    call.request.path = "/api/v1/namespaces/default/pods/web";
    rules_.sent(options_, started_, call);
    return !invariants_.violation().has_value();
  }

  Timeline time_{Timestamp::from_seconds(1'000'000)};
  Truth truth_;
  Invariants invariants_{time_, truth_};
  GuardRules rules_{time_, invariants_};
  control::SoleControllerOptions options_;
  Timestamp started_ = time_.now();
};

TEST_F(GuardRulesTest, NothingIsSentWithoutACanary) { EXPECT_FALSE(may_send()); }

TEST_F(GuardRulesTest, NothingIsSentBeforeTheWaitIsOver) {
  canary(1, 0);
  pass(59 * kSecond);
  EXPECT_FALSE(may_send());
  EXPECT_EQ(invariants_.violation()->rule, "I10");
}

TEST_F(GuardRulesTest, AfterTheWaitAnythingIsSentAndArmingAgainChangesNothing) {
  canary(1, 0);
  pass(60 * kSecond);
  EXPECT_TRUE(may_send());
  canary(2, 0);
  EXPECT_TRUE(may_send());
}

TEST_F(GuardRulesTest, FiveSecondsAfterAnAcknowledgementNothingIsSentAnyMore) {
  canary(1, 0);
  pass(60 * kSecond);
  canary(1, 1);
  pass(5 * kSecond);
  EXPECT_TRUE(may_send());
  pass(1);
  EXPECT_FALSE(may_send());
}

// Acknowledging an old generation leaves the canary armed until the next acknowledgement.
TEST_F(GuardRulesTest, ASecondAcknowledgementDoesNotShortenTheFiveSeconds) {
  canary(1, 0);
  canary(2, 0);
  pass(60 * kSecond);
  canary(2, 1);
  pass(kSecond);
  canary(2, 2);
  pass(4 * kSecond);
  EXPECT_TRUE(may_send());
  pass(1);
  EXPECT_FALSE(may_send()) << "nor extend them";
}

TEST_F(GuardRulesTest, AnAcknowledgementBeforeTheWaitIsOverGivesNoFiveSeconds) {
  canary(1, 0);
  pass(50 * kSecond);
  canary(1, 1);
  EXPECT_FALSE(may_send());
}

TEST_F(GuardRulesTest, AnAcknowledgementOfAnOlderGenerationCountsAsWell) {
  canary(2, 0);
  pass(60 * kSecond);
  canary(2, 1);
  pass(30 * kSecond);
  EXPECT_FALSE(may_send());
}

TEST_F(GuardRulesTest, ACanaryThatIsGoneGuardsNothing) {
  canary(1, 0);
  pass(60 * kSecond);
  canary(1, 0, true);
  pass(6 * kSecond);
  EXPECT_FALSE(may_send());
}

TEST_F(GuardRulesTest, AManagerThatStoppedBeforeTheProcessStartedMakesTheWaitLonger) {
  renew_manager_lease();
  pass(kSecond);
  started_ = time_.now();
  canary(1, 0);
  pass(options_.restart_wait_ns);
  EXPECT_TRUE(may_send());
  started_ = later_by(started_, kSecond);
  canary(1, 1);
  canary(2, 1);
  pass(options_.restart_wait_ns - 1);
  EXPECT_FALSE(may_send());
}

TEST_F(GuardRulesTest, AManagerThatTheProcessMayHaveSeenRenewItsLeaseDoesNot) {
  canary(1, 0);
  renew_manager_lease();
  pass(options_.take_over_ns);
  EXPECT_TRUE(may_send());
}

TEST(GuardedKind, GoesByWhatIsWritten) {
  const auto kind = [](std::string path) {
    control::Call call{.kind = control::Call::Kind::kWrite};
    call.request.path = std::move(path);
    return guarded_kind(call);
  };
  using control::GuardedKind;
  EXPECT_EQ(kind("/api/v1/namespaces/a/pods"), GuardedKind::kReplicaSets);
  EXPECT_EQ(kind("/apis/apps/v1/namespaces/a/replicasets/b/status"), GuardedKind::kReplicaSets);
  EXPECT_EQ(kind("/apis/apps/v1/namespaces/a/replicasets/b"), GuardedKind::kDeployments);
  EXPECT_EQ(kind("/apis/apps/v1/namespaces/a/deployments/b/status"), GuardedKind::kDeployments);
  EXPECT_EQ(kind("/apis/ebb.dev/v1alpha1/namespaces/a/podgroupcosts/b"), std::nullopt);
}

}  // namespace
}  // namespace ebb::sim
