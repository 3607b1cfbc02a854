#include "control/deployment/deployment_wakeups.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/deployment/deployment_claim.h"
#include "control/deployment/deployment_controller.h"

namespace ebb::control::deployments {
namespace {

constexpr auto kJson = Store::Format::kJson;

class DeploymentWakeupsTest : public ::testing::Test {
 protected:
  void add_deployment(std::string_view namespace_name, int number,
                      std::string_view strategy = "RollingUpdate") {
    tell(Resource::kDeployments,
         fmt::format(R"({{"metadata":{{"name":"app-{0}","namespace":"{1}","uid":"d-{1}-{0}",)"
                     R"("generation":1,"resourceVersion":"{2}"}},"spec":{{"replicas":0,"strategy":)"
                     R"({{"type":"{3}"}},"selector":{{"matchLabels":{{"app":"app-{0}"}}}},)"
                     R"("template":{{"metadata":{{"labels":{{"app":"app-{0}"}}}}}}}}}})",
                     number, namespace_name, ++revision_, strategy));
  }
  // Owned by the Deployment with number `owner`; -1: an orphan.
  void add_set(std::string_view namespace_name, const std::string& name, const std::string& app,
               int owner = -1) {
    const std::string owners =
        owner < 0 ? "[]"
                  : fmt::format(R"([{{"apiVersion":"apps/v1","kind":"Deployment","name":"app-{0}",)"
                                R"("uid":"d-{1}-{0}","controller":true}}])",
                                owner, namespace_name);
    tell(Resource::kReplicaSets,
         fmt::format(R"({{"metadata":{{"name":"{0}","namespace":"{1}","uid":"s-{1}-{0}",)"
                     R"("resourceVersion":"{2}","labels":{{"app":"{3}"}},"ownerReferences":{4}}},)"
                     R"("spec":{{"replicas":0,"selector":{{"matchLabels":{{"app":"{3}"}}}},)"
                     R"("template":{{"metadata":{{"labels":{{"app":"{3}"}}}}}}}}}})",
                     name, namespace_name, ++revision_, app, owners));
  }
  void tell(Resource resource, const std::string& text) {
    ASSERT_TRUE(store_.upsert(resource, kJson, text).has_value()) << text;
  }
  void turn() {
    now_.mono = later_by(now_.mono, kBetweenRunsNs);
    wakeups_.run(now_);
    wakeups_.run(now_);  // sees how long the turn took
  }

  Store store_;
  Now now_{.wall = Timestamp::from_seconds(1'793'534'400), .mono = Timestamp::from_seconds(5'000)};
  std::int64_t revision_ = 0;
  std::set<Key> woken_;
  Wakeups wakeups_{store_, woken_};
};

TEST_F(DeploymentWakeupsTest, ManyOrphansAreMatchedInManyTurnsAndNamespacesTakeTurns) {
  constexpr int kMany = 500;
  for (int i = 0; i < kMany; ++i) add_deployment("shop", i);
  add_deployment("tiny", 7);
  for (int i = 0; i < kMany; ++i) {
    const std::string name = fmt::format("orphan-{}", i);
    add_set("shop", name, i + 1 == kMany ? "app-3" : "none");
    wakeups_.orphan_came(*store_.replica_set("shop", name));
  }
  add_set("tiny", "orphan", "app-7");
  wakeups_.orphan_came(*store_.replica_set("tiny", "orphan"));
  turn();
  EXPECT_EQ(woken_, (std::set<Key>{{"tiny", "app-7"}}));
  int turns = 1;
  for (; !wakeups_.wake_at().is_zero(); ++turns) {
    ASSERT_LT(turns, 100);
    turn();
  }
  EXPECT_GE(turns, kMany * kMany / static_cast<int>(kUnitsPerRun));
  EXPECT_EQ(woken_, (std::set<Key>{{"shop", "app-3"}, {"tiny", "app-7"}}));
}

TEST_F(DeploymentWakeupsTest, RecreateIsWokenWhenItsLastPodIsGone) {
  add_deployment("shop", 1, "Recreate");
  add_set("shop", "set", "app-1", 1);
  const auto pod = [](std::string_view phase, int revision) {
    return fmt::format(
        R"({{"metadata":{{"name":"p","namespace":"shop","uid":"p","resourceVersion":"{}",)"
        R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"set",)"
        R"("uid":"s-shop-set","controller":true}}]}},"spec":{{}},"status":{{"phase":"{}"}}}})",
        revision, phase);
  };
  tell(Resource::kPods, pod("Running", 100));
  wakeups_.pod_left(*store_.deployment("shop", "app-1"));
  turn();
  EXPECT_TRUE(woken_.empty());
  tell(Resource::kPods, pod("Succeeded", 101));
  wakeups_.pod_left(*store_.deployment("shop", "app-1"));
  wakeups_.pod_left(*store_.deployment("shop", "app-1"));
  turn();
  EXPECT_EQ(woken_, (std::set<Key>{{"shop", "app-1"}}));
  EXPECT_TRUE(wakeups_.wake_at().is_zero());
}

// The cost of a sync depends on how many ReplicaSets a tenant keeps.
class DeploymentTurnsTest : public DeploymentWakeupsTest, CallSink, Telemetry {
 protected:
  void start() {
    controller_ = make_deployment_controller(
        {.store = store_, .sink = *this, .telemetry = *this, .gates = {}});
    store_.listen(*controller_);
  }
  CallId send(Call::Kind, model::ApiRequest) override { return ++calls_; }
  picker::CallId ask(picker::Call) override { return 0; }
  void withdraw(picker::CallId) override {}
  void record_event(Event, Now) override {}

  std::unique_ptr<Controller> controller_;
  CallId calls_ = 0;
};

TEST_F(DeploymentTurnsTest, DeploymentsWithLongHistoriesHaveTurnsOfTheirOwn) {
  start();
  for (int i = 0; i < 10; ++i) {
    add_deployment("shop", i);
    for (int set = 0; set < 120; ++set) {
      add_set("shop", fmt::format("app-{}-{}", i, set), fmt::format("app-{}", i), i);
    }
  }
  controller_->run(now_);
  EXPECT_LE(calls_, 1U);
  int turns = 1;
  for (Timestamp wake = controller_->wake_at(); !wake.is_zero(); wake = controller_->wake_at()) {
    ASSERT_LT(++turns, 100);
    now_.mono = std::max(now_.mono, wake);
    controller_->run(now_);
  }
  EXPECT_GE(turns, 10);
  EXPECT_EQ(calls_, 10U) << "each Deployment has a status to be written";
}

TEST_F(DeploymentTurnsTest, SyncsOfOneNamespaceDoNotKeepAnotherFromStarting) {
  start();
  for (int i = 0; i < 150; ++i) add_deployment("shop", i);
  for (int turn = 0; turn < 10; ++turn) {
    now_.mono = later_by(now_.mono, kBetweenRunsNs);
    controller_->run(now_);
  }
  EXPECT_EQ(calls_, 100U);
  add_deployment("tiny", 1);
  now_.mono = later_by(now_.mono, kBetweenRunsNs);
  controller_->run(now_);
  EXPECT_EQ(calls_, 101U);
}

TEST_F(DeploymentTurnsTest, AdoptsFiveHundredReplicaSetsAtATime) {
  add_deployment("shop", 1);
  for (int i = 0; i < 700; ++i) add_set("shop", fmt::format("orphan-{}", i), "app-1");
  const SetClaim claim = claim_sets(store_, *store_.deployment("shop", "app-1"));
  EXPECT_EQ(claim.patches.size(), 500U);
  EXPECT_EQ(claim.examined, 700U);
}

}  // namespace
}  // namespace ebb::control::deployments
