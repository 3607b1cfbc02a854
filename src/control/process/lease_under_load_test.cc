// The thread that ranks pods also renews the lease. Here the clock runs by the work of the ranker,
// counted in units (work_budget.h), so the test does not depend on the machine: with many costly
// groups waiting, a renewal may be late by 100 ms of work at most.
#include <algorithm>
#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "control/core/claim.h"
#include "control/core/work_budget.h"
#include "control/policy/ranking_choice.h"
#include "control/ranker/rank_cluster_reader.h"
#include "ranking/rank_group.h"
#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::Scene;

constexpr int kSets = 40;
constexpr int kPods = 100;
constexpr int kTerms = 16;
constexpr int kRounds = 3;
constexpr Nanoseconds kNsPerUnit = 100;
constexpr Nanoseconds kMillisecond = kNanosecondsPerSecond / 1000;
constexpr Nanoseconds kRenewEvery = 20 * kMillisecond;
constexpr Nanoseconds kMaxDelay = 100 * kMillisecond;
constexpr std::string_view kSetsPath = "/apis/apps/v1/namespaces/default/replicasets";

class LeaseUnderLoadTest : public ::testing::Test {
 protected:
  void SetUp() override {
    create("/api/v1/nodes", R"({"metadata":{"name":"n","labels":{"zone":"a"}}})");
    for (int set = 0; set < kSets; ++set) {
      create(kSetsPath,
             fmt::format(R"({{"metadata":{{"name":"app-{0}"}},"spec":{{"replicas":{1},"selector":)"
                         R"({{"matchLabels":{{"app":"app-{0}"}}}},"template":{{"metadata":{{)"
                         R"("labels":{{"app":"app-{0}"}}}},"spec":{{"containers":[)"
                         R"({{"name":"c","image":"i"}}]}}}}}}}})",
                         set, kPods));
      create("/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies", policy(set));
      const std::string uid = served_.get(set_path(set)).text("metadata/uid");
      for (int pod = 0; pod < kPods; ++pod) create_pod(set, uid, pod);
    }
  }
  void create(std::string_view path, const std::string& text) {
    const auto answer = served_.post(path, text);
    ASSERT_EQ(answer.code, 201) << answer.message();
  }
  static std::string set_path(int set) { return fmt::format("{}/app-{}", kSetsPath, set); }
  static std::string policy(int set) {
    return fmt::format(
        R"({{"metadata":{{"name":"app-{0}"}},"spec":{{"targetRef":{{"kind":"ReplicaSet",)"
        R"("name":"app-{0}"}},"ranking":{{"strategies":[{{"name":"AntiAffinity"}}]}}}}}})",
        set);
  }
  void create_pod(int set, const std::string& uid, int number) {
    std::string terms;
    for (int term = 0; term < kTerms; ++term) {
      terms += fmt::format(R"({}{{"weight":{},"podAffinityTerm":{{"topologyKey":"zone",)"
                           R"("labelSelector":{{}}}}}})",
                           term == 0 ? "" : ",", term + 1);
    }
    create("/api/v1/namespaces/default/pods",
           fmt::format(
               R"({{"metadata":{{"name":"app-{0}-{1}","labels":{{"app":"app-{0}"}},)"
               R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet",)"
               R"("name":"app-{0}","uid":"{2}","controller":true}}]}},"spec":{{"nodeName":"n",)"
               R"("containers":[{{"name":"c","image":"i"}}],"affinity":{{"podAntiAffinity":{{)"
               R"("preferredDuringSchedulingIgnoredDuringExecution":[{3}]}}}}}}}})",
               set, number, uid, terms));
  }
  static ProcessSettings only_the_ranker() {
    ProcessSettings settings;
    settings.replica_sets = settings.deployments = false;
    settings.ranker = true;
    settings.lease = LeaseSettings{.identity = "one", .retry_period_ns = kRenewEvery};
    settings.qps = 0;
    return settings;
  }
  // The work of ranking one of the groups, which are all alike.
  [[nodiscard]] std::uint64_t units_per_ranking() const {
    const Store& store = scene_.process->store();
    const ReplicaSet* set = store.replica_set("default", "app-0");
    const Policy* asks = store.policy("default", "app-0");
    EBB_CHECK(set != nullptr && asks != nullptr);
    const auto pods = claim_pods(*set, store.pods_of(*set)).active;
    return ranking::rank_group(*read_ranking(*asks).settings, pods, RankClusterReader(store))
        .effort.units;
  }

  // One input, and the time that its work takes.
  void step() {
    if (!scene_.calls.empty()) {
      scene_.serve_next();
    } else if (scene_.due()) {
      scene_.wake();
    } else if (!scene_.flow()) {
      served_.now = later_by(served_.now, elapsed_ns(scene_.now().mono, scene_.process->wake_at()));
      return;
    }
    const std::int64_t rankings = scene_.telemetry.counts[Count::kRankings];
    const auto units = static_cast<std::uint64_t>(rankings - rankings_) * units_;
    rankings_ = rankings;
    for (const Call& call : scene_.calls) {
      if (call.kind != Call::Kind::kLease || call.id <= last_renewal_) continue;
      last_renewal_ = call.id;
      if (!renewed_at_.is_zero()) {
        longest_ = std::max(longest_, elapsed_ns(renewed_at_, served_.now));
      }
      renewed_at_ = served_.now;
      ++renewals_;
    }
    longest_turn_ = std::max(longest_turn_, units);
    served_.now = later_by(served_.now, static_cast<Nanoseconds>(units) * kNsPerUnit);
  }
  void run_until(const std::function<bool()>& done) {
    for (int steps = 0; steps < 1'000'000; ++steps) {
      if (done()) return;
      step();
    }
    FAIL() << "it does not get there";
  }

  testing::ApiServerScene served_;
  Scene scene_{served_, only_the_ranker(), Scene::Cast::kReal};
  std::uint64_t units_ = 0;
  std::int64_t rankings_ = 0;
  CallId last_renewal_ = 0;
  Timestamp renewed_at_;
  Nanoseconds longest_ = 0;
  std::uint64_t longest_turn_ = 0;
  int renewals_ = 0;
};

TEST_F(LeaseUnderLoadTest, ARenewalIsNotDelayedByMoreThanAHundredMillisecondsOfRanking) {
  scene_.start();
  run_until([&] { return scene_.process->synced(); });
  units_ = units_per_ranking();
  ASSERT_GT(kSets * units_ * kNsPerUnit, static_cast<std::uint64_t>(2 * kMaxDelay))
      << "all at once would be late";
  for (int round = 1; round <= kRounds; ++round) {
    // A pod that goes concerns every group, because all terms mean it.
    ASSERT_LT(served_.remove(fmt::format("/api/v1/namespaces/default/pods/app-0-{}", round)).code,
              300);
    run_until([&, before = rankings_] { return rankings_ >= before + kSets; });
  }
  EXPECT_GT(renewals_, kRounds);
  EXPECT_LE(longest_, kRenewEvery + kMaxDelay);
  EXPECT_LE(longest_turn_, kUnitsPerRun + units_);
  EXPECT_TRUE(scene_.process->leads(scene_.now()));
}

}  // namespace
}  // namespace ebb::control
