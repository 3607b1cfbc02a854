// No controller does all of its work in one turn, because the same thread renews the lease. The
// test counts turns, not milliseconds.
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/core/work_budget.h"
#include "control/deployment/deployment_controller.h"
#include "control/policy/policy_controller.h"
#include "control/ranker/ranker.h"
#include "control/replicaset/replica_set_controller.h"

namespace ebb::control {
namespace {

constexpr auto kJson = Store::Format::kJson;

class Turns : public ::testing::Test, protected CallSink, protected Telemetry {
 protected:
  ControllerContext context() {
    return {.store = store_, .sink = *this, .telemetry = *this, .gates = {}};
  }
  void start(std::unique_ptr<Controller> controller) {
    controller_ = std::move(controller);
    store_.listen(*controller_);
  }
  void tell(Resource resource, const std::string& text) {
    ASSERT_TRUE(store_.upsert(resource, kJson, text).has_value()) << text;
  }
  void add_orphan(std::string_view namespace_name, int number, const std::string& app) {
    tell(Resource::kPods,
         fmt::format(R"({{"metadata":{{"name":"orphan-{0}","namespace":"{1}","uid":"o-{1}-{0}",)"
                     R"("resourceVersion":"{2}","labels":{{"app":"{3}"}}}},"spec":{{}},)"
                     R"("status":{{"phase":"Running"}}}})",
                     number, namespace_name, ++revision_, app));
  }
  void add_set(int number, int replicas = 0, std::string_view namespace_name = "shop") {
    tell(
        Resource::kReplicaSets,
        fmt::format(
            R"({{"metadata":{{"name":"app-{0}","namespace":"{3}","uid":"set-{0}","generation":1,)"
            R"("resourceVersion":"{1}"}},"spec":{{"replicas":{2},"selector":{{"matchLabels":)"
            R"({{"app":"app-{0}"}}}},"template":{{"metadata":{{"labels":{{"app":"app-{0}"}}}}}}}},)"
            R"("status":{{"replicas":{2},"observedGeneration":1,"terminatingReplicas":0}}}})",
            number, ++revision_, replicas, namespace_name));
  }
  void add_pod(int set, int number, const std::string& spec) {
    tell(Resource::kPods,
         fmt::format(
             R"({{"metadata":{{"name":"app-{0}-{1}","namespace":"shop","uid":"pod-{0}-{1}",)"
             R"("resourceVersion":"{2}","labels":{{"app":"app-{0}"}},"ownerReferences":[)"
             R"({{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"app-{0}","uid":"set-{0}",)"
             R"("controller":true}}]}},"spec":{3},"status":{{"phase":"Running"}}}})",
             set, number, ++revision_, spec));
  }
  void add_policy(int set, std::string_view strategy) {
    tell(Resource::kPolicies,
         fmt::format(
             R"({{"metadata":{{"name":"app-{0}","namespace":"shop","uid":"policy-{0}",)"
             R"("generation":1,"resourceVersion":"{1}"}},"spec":{{"targetRef":{{"kind":)"
             R"("ReplicaSet","name":"app-{0}"}},"ranking":{{"strategies":[{{"name":"{2}"}}]}}}}}})",
             set, ++revision_, strategy));
  }

  void add_group_cost(int set, int number) {
    tell(
        Resource::kGroupCosts,
        fmt::format(R"({{"metadata":{{"name":"costs-{0}-{1}","namespace":"shop","uid":"c-{0}-{1}",)"
                    R"("resourceVersion":"{2}"}},"spec":{{"owner":{{"kind":"ReplicaSet",)"
                    R"("name":"app-{0}"}},"costs":{{"app-{0}-0":1}}}}}})",
                    set, number, ++revision_));
  }

  void add_deployment() {
    tell(Resource::kDeployments,
         fmt::format(R"({{"metadata":{{"name":"web","namespace":"shop","uid":"web","generation":1,)"
                     R"("resourceVersion":"{}"}},"spec":{{"replicas":0,"paused":true,"selector":)"
                     R"({{"matchLabels":{{"app":"web"}}}},"template":{{"metadata":{{"labels":)"
                     R"({{"app":"web"}}}}}}}},"status":{{"observedGeneration":1,"conditions":[)"
                     R"({{"type":"Available","status":"True","reason":"MinimumReplicasAvailable",)"
                     R"("message":"Deployment has minimum availability."}}]}}}})",
                     ++revision_));
  }
  // The bulk is in an annotation of the pod template, or of the ReplicaSet itself.
  enum class Bulk : std::uint8_t { kTemplate, kMetadata };
  void add_large_set_of_deployment(int number, std::size_t bytes, Bulk bulk = Bulk::kTemplate) {
    const std::string text(bytes, 'x');
    tell(Resource::kReplicaSets,
         fmt::format(
             R"({{"metadata":{{"name":"web-{0}","namespace":"shop","uid":"set-{0}","generation":1,)"
             R"("resourceVersion":"{1}","labels":{{"app":"web"}},"annotations":{{"large":"{3}"}},)"
             R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"Deployment","name":"web",)"
             R"("uid":"web","controller":true}}]}},"spec":{{"replicas":0,"selector":)"
             R"({{"matchLabels":{{"app":"web"}}}},"template":{{"metadata":{{"labels":)"
             R"({{"app":"web"}},"annotations":{{"number":"{0}","large":"{2}"}}}}}}}},)"
             R"("status":{{"replicas":0,"observedGeneration":1}}}})",
             number, ++revision_, bulk == Bulk::kTemplate ? text : "",
             bulk == Bulk::kMetadata ? text : ""));
  }

  void read_large_sets(Bulk bulk) {
    constexpr int kSets = 20;
    constexpr std::size_t kBytes = 400'000;
    start(make_deployment_controller(context()));
    add_deployment();
    for (int i = 0; i < kSets; ++i) add_large_set_of_deployment(i, kBytes, bulk);
    EXPECT_GE(run_all().size(), 5U);
    // Only the one that has changed is read.
    add_large_set_of_deployment(7, kBytes, bulk);
    EXPECT_LE(run_all().size(), 2U);
    EXPECT_EQ(last_id_, 0U) << "there is nothing to write";
  }

  // Until nothing is due any more: how many groups were ranked in each turn, and how many turns
  // there were in which something may have been done.
  std::vector<int> run_all() {
    constexpr int kMany = 10'000;
    std::vector<int> rankings;
    for (int run = 0; run < kMany; ++run) {
      const Timestamp wake = controller_->wake_at();
      if (wake.is_zero() || wake > later_by(now_.mono, kNanosecondsPerSecond)) return rankings;
      const bool waited = wake > now_.mono;
      if (waited) now_.mono = wake;
      rankings_ = 0;
      controller_->run(now_);
      if (rankings_ > 0 || waited || run == 0) rankings.push_back(rankings_);
    }
    ADD_FAILURE() << "it never rests";
    return rankings;
  }

  CallId send(Call::Kind, model::ApiRequest) override { return ++last_id_; }
  picker::CallId ask(picker::Call) override { return 0; }
  void withdraw(picker::CallId) override {}
  void record_event(Event, Now) override {}
  void count(Count what, std::string_view /*label*/, std::int64_t /*by*/) override {
    if (what == Count::kRankings) ++rankings_;
  }

  Store store_;
  Now now_{.wall = Timestamp::from_seconds(1'793'534'400), .mono = Timestamp::from_seconds(5'000)};
  std::int64_t revision_ = 0;
  CallId last_id_ = 0;
  int rankings_ = 0;
  std::unique_ptr<Controller> controller_;
};

TEST_F(Turns, ManyReplicaSetsAreLookedAtInManyTurns) {
  constexpr int kSets = 2'000;
  start(make_replica_set_controller(context(), {}));
  for (int i = 0; i < kSets; ++i) add_set(i);
  EXPECT_GE(run_all().size(), 5U);
  EXPECT_EQ(last_id_, 0U) << "there is nothing to write";
}

TEST_F(Turns, ManyOrphansAreMatchedWithManyReplicaSetsInManyTurns) {
  constexpr int kSets = 500;
  constexpr int kOrphans = 1'000;
  start(make_replica_set_controller(context(), {}));
  for (int i = 0; i < kSets; ++i) add_set(i);
  run_all();
  for (int i = 0; i < kOrphans; ++i) add_orphan("shop", i, "app-none");
  add_orphan("shop", kOrphans, "app-7");
  const auto turns = run_all().size();
  EXPECT_GE(turns, kSets * kOrphans / kUnitsPerRun);
  EXPECT_EQ(last_id_, 1U) << "the ReplicaSet that selects the last one reads itself to adopt it";
}

TEST_F(Turns, OrphansOfATenantDoNotHoldUpThoseOfAnother) {
  constexpr int kSets = 500;
  start(make_replica_set_controller(context(), {}));
  for (int i = 0; i < kSets; ++i) add_set(i);
  add_set(kSets, 0, "tiny");
  run_all();
  for (int i = 0; i < 1'000; ++i) add_orphan("shop", i, "app-none");
  add_orphan("tiny", 0, fmt::format("app-{}", kSets));
  for (int turn = 0; turn < 3; ++turn) {
    now_.mono = later_by(now_.mono, kBetweenRunsNs);
    controller_->run(now_);
    controller_->run(now_);  // sees how long the turn took
  }
  EXPECT_EQ(last_id_, 1U);
}

// No answers arrive, so calls stay in flight.
TEST_F(Turns, ANamespaceWithManyCallsInFlightDoesNotKeepAnotherFromStarting) {
  start(make_replica_set_controller(context(), {}));
  for (int i = 0; i < 1'000; ++i) add_set(i, 1);
  run_all();
  EXPECT_EQ(last_id_, 512U);
  add_set(0, 1, "tiny");
  run_all();
  EXPECT_EQ(last_id_, 513U);
  add_set(1'000, 1);
  run_all();
  EXPECT_EQ(last_id_, 513U) << "it has had its share";
}

TEST_F(Turns, ManyPodGroupCostsAreReadInManyTurns) {
  constexpr int kSets = 40;
  constexpr int kPods = 50;
  start(make_replica_set_controller(context(), {}));
  for (int i = 0; i < kSets; ++i) {
    add_set(i, kPods - 1);
    for (int pod = 0; pod < kPods; ++pod) add_pod(i, pod, "{}");
    for (int cost = 0; cost < 20; ++cost) add_group_cost(i, cost);
  }
  EXPECT_GE(run_all().size(), 5U);
  EXPECT_EQ(last_id_, std::size_t{kSets}) << "one pod of each ReplicaSet goes";
}

TEST_F(Turns, ReplicaSetsWithLargeTemplatesAreReadInManyTurnsAndOnlyOnce) {
  read_large_sets(Bulk::kTemplate);
}

TEST_F(Turns, ReplicaSetsWithLargeMetadataAreReadInManyTurnsAndOnlyOnce) {
  read_large_sets(Bulk::kMetadata);
}

TEST_F(Turns, LargeReplicaSetsHaveTurnsOfTheirOwn) {
  constexpr int kSets = 20;
  start(make_replica_set_controller(context(), {}));
  for (int i = 0; i < kSets; ++i) add_large_set_of_deployment(i, 400'000);
  EXPECT_GE(run_all().size(), 5U);
  EXPECT_EQ(last_id_, std::size_t{kSets}) << "each has a status to be written";
}

TEST_F(Turns, ManyGroupsAreRankedInManyTurns) {
  constexpr int kGroups = 1'000;
  start(make_ranker(context(), std::make_shared<PolicyReports>()));
  for (int i = 0; i < kGroups; ++i) {
    add_set(i, 1);
    add_pod(i, 0, "{}");
    add_policy(i, "Youngest");
  }
  int all = 0;
  for (const int rankings : run_all()) {
    EXPECT_LE(rankings, kGroups / 5);
    all += rankings;
  }
  EXPECT_GE(all, kGroups);
}

TEST_F(Turns, ALargeGroupHasATurnOfItsOwn) {
  constexpr int kGroups = 20;
  constexpr int kPods = 500;
  std::string terms;
  for (int i = 0; i < 300; ++i) {
    terms += fmt::format(
        R"({}{{"weight":1,"podAffinityTerm":{{"topologyKey":"zone","labelSelector":{{}}}}}})",
        i == 0 ? "" : ",");
  }
  const std::string spec =
      fmt::format(R"({{"nodeName":"n","affinity":{{"podAntiAffinity":)"
                  R"({{"preferredDuringSchedulingIgnoredDuringExecution":[{}]}}}}}})",
                  terms);
  tell(Resource::kNodes, R"({"metadata":{"name":"n","labels":{"zone":"a"}}})");
  start(make_ranker(context(), std::make_shared<PolicyReports>()));
  for (int i = 0; i < kGroups; ++i) {
    add_set(i, kPods);
    for (int pod = 0; pod < kPods; ++pod) add_pod(i, pod, spec);
    add_policy(i, "AntiAffinity");
  }
  int all = 0;
  for (const int rankings : run_all()) {
    EXPECT_LE(rankings, 1);
    all += rankings;
  }
  EXPECT_GE(all, kGroups);
}

}  // namespace
}  // namespace ebb::control
