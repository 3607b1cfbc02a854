#include "control/process/process.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::kConfigMaps;
using testing::Scene;

constexpr std::string_view kLease =
    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller";

ProcessSettings with_lease(std::string identity) {
  ProcessSettings settings;
  settings.lease = LeaseSettings{.identity = std::move(identity)};
  return settings;
}

class ProcessTest : public ::testing::Test {
 protected:
  void pass(Nanoseconds ns) { served_.now = later_by(served_.now, ns); }
  [[nodiscard]] std::string holder() { return served_.get(kLease).text("spec/holderIdentity"); }
  [[nodiscard]] bool made(std::string_view name) {
    return served_.get(fmt::format("{}/{}", kConfigMaps, name)).code == 200;
  }
  void make_pod(std::string_view name) {
    EXPECT_EQ(served_.post("/api/v1/namespaces/default/pods", testing::pod_json(name)).code, 201);
  }

  testing::ApiServerScene served_;
};

TEST_F(ProcessTest, LivesFromTheLeaseToItsRelease) {
  make_pod("a");
  Scene scene(served_, with_lease("one"));
  scene.maker->make("first");
  scene.start();
  ASSERT_EQ(scene.calls.size(), 1U) << "the lease, and nothing else";
  EXPECT_EQ(scene.calls.front().kind, Call::Kind::kLease);
  EXPECT_EQ(scene.calls.front().deadline_ns, 5 * kSecond);
  EXPECT_FALSE(scene.process->leads(scene.now()));
  scene.settle();
  EXPECT_TRUE(scene.process->leads(scene.now()));
  EXPECT_TRUE(scene.process->synced());
  EXPECT_EQ(scene.maker->pods_when_run, 1U);
  EXPECT_TRUE(made("first"));
  EXPECT_EQ(scene.streams.size(), 6U);

  scene.settle_for(60 * kSecond);
  EXPECT_TRUE(scene.process->leads(scene.now()));

  scene.stop();
  EXPECT_TRUE(scene.streams.empty());
  scene.settle();
  EXPECT_TRUE(scene.process->done());
  EXPECT_FALSE(scene.process->lost_lease());
  EXPECT_FALSE(scene.process->leads(scene.now()));
  EXPECT_FALSE(scene.process->synced());
  EXPECT_EQ(holder(), "");
  EXPECT_TRUE(scene.process->wake_at().is_zero());
}

// A tenant decides how many there are.
TEST_F(ProcessTest, ControllersDoNotWaitForTheListOfDecisions) {
  ProcessSettings settings;
  settings.decision_objects.emplace();
  Scene scene(served_, settings);
  scene.start();
  ASSERT_EQ(scene.calls.size(), 7U);
  const Call decisions = scene.calls.back();
  EXPECT_EQ(decisions.request.path, "/apis/ebb.dev/v1alpha1/downscaledecisions");
  EXPECT_TRUE(decisions.request.accept.starts_with("application/json;as=PartialObjectMetadata;"));
  scene.calls.pop_back();
  scene.settle();
  EXPECT_TRUE(scene.process->synced());
}

TEST_F(ProcessTest, EndsWhenTheStorageOfTheApiServerWentBack) {
  make_pod("a");
  Scene scene(served_, with_lease("one"));
  scene.start();
  scene.settle();
  ASSERT_TRUE(scene.process->synced());
  const auto bookmark = [](std::string_view annotations) {
    return fmt::format(
        "{{\"type\":\"BOOKMARK\",\"object\":{{\"metadata\":{{\"resourceVersion\":\"1\","
        "\"annotations\":{{{}}}}}}}}}\n",
        annotations);
  };
  scene.instead_of_server = [&](const Call& call) {
    if (call.kind != Call::Kind::kStream) return false;
    scene.process->received(call.id, bookmark(R"("k8s.io/initial-events-end":"true")"),
                            scene.now());
    return true;
  };
  const CallId watch = scene.streams.begin()->first;
  scene.process->received(watch, bookmark(""), scene.now());
  scene.collect();
  scene.settle_for(30 * kSecond);
  EXPECT_FALSE(scene.process->done()) << "it may be a passing matter";
  scene.settle_for(120 * kSecond);
  EXPECT_TRUE(scene.process->done());
  EXPECT_TRUE(scene.process->went_back());
  EXPECT_FALSE(scene.process->lost_lease());
  EXPECT_EQ(holder(), "");
}

TEST_F(ProcessTest, ControllersWaitUntilEverythingWasSeen) {
  make_pod("a");
  Scene scene(served_, {});
  scene.maker->make("first");
  scene.start();
  EXPECT_TRUE(scene.process->leads(scene.now()));
  ASSERT_EQ(scene.calls.size(), 6U);
  // Pods and ReplicaSets are there, Deployments are not.
  const Call deployments = scene.calls[2];
  EXPECT_EQ(deployments.request.path, "/apis/apps/v1/deployments");
  scene.calls.erase(scene.calls.begin() + 2);
  scene.settle();
  EXPECT_EQ(scene.process->store().pods(), 1U);
  EXPECT_FALSE(scene.process->synced());
  EXPECT_EQ(scene.maker->runs, 0);
  scene.calls.push_back(deployments);
  scene.settle();
  EXPECT_TRUE(scene.process->synced());
  EXPECT_TRUE(made("first"));
}

TEST_F(ProcessTest, FollowsOnlyWhatItNeeds) {
  ProcessSettings settings;
  const auto count_streams = [&] {
    Scene scene(served_, settings);
    scene.start();
    scene.settle();
    EXPECT_TRUE(scene.process->synced());
    return scene.streams.size();
  };
  settings.deployments = false;
  EXPECT_EQ(count_streams(), 5U);
  // Pickers and ranks need nodes and policies, and ranks also need PodGroupCosts.
  settings.gates.set(model::Gate::kDownscalePodPicker, false);
  EXPECT_EQ(count_streams(), 5U);
  settings.ranker = true;
  EXPECT_EQ(count_streams(), 5U);
  settings.gates.set(model::Gate::kPodCostRanking, false);
  EXPECT_EQ(count_streams(), 2U);
  settings.gates.set(model::Gate::kDownscalePodPicker, true);
  EXPECT_EQ(count_streams(), 4U);
}

TEST_F(ProcessTest, WorksWithoutPoliciesAndRanksWhereTheyAreNotKnown) {
  for (const int code : {403, 404}) {
    Scene scene(served_, {});
    scene.maker->make(fmt::format("made-{}", code));
    scene.start();
    ASSERT_EQ(scene.calls.size(), 6U);
    const Call policies = scene.calls[3];
    const Call costs = scene.calls[5];
    EXPECT_EQ(policies.request.path, "/apis/ebb.dev/v1alpha1/downscalepolicies");
    EXPECT_EQ(costs.request.path, "/apis/ebb.dev/v1alpha1/podgroupcosts");
    scene.calls.erase(scene.calls.begin() + 5);
    scene.calls.erase(scene.calls.begin() + 3);
    Answer refused;
    refused.response.code = code;
    scene.answer(policies, refused);
    scene.answer(costs, refused);
    scene.settle();
    EXPECT_TRUE(scene.process->synced());
    EXPECT_TRUE(made(fmt::format("made-{}", code)));
    EXPECT_EQ(scene.streams.size(), 4U);
    // Once they are known, they are seen without a restart.
    scene.settle_for(60 * kSecond);
    EXPECT_EQ(scene.streams.size(), 6U);
  }
}

TEST_F(ProcessTest, APieceOfAStreamCausesOneRun) {
  Scene scene(served_, {});
  scene.start();
  scene.settle();
  const int runs = scene.maker->runs;
  const int changes = scene.maker->changes;
  for (const char* name : {"a", "b", "c", "d"}) make_pod(name);
  scene.settle();
  EXPECT_EQ(scene.maker->changes, changes + 4);
  EXPECT_EQ(scene.maker->runs, runs + 1);
}

TEST_F(ProcessTest, RecordsEvents) {
  Scene scene(served_, {});
  scene.start();
  scene.settle();
  scene.maker->record_event(scene.now());
  scene.maker->record_event(scene.now());
  scene.wake();
  scene.settle();
  const auto events = served_.get("/api/v1/namespaces/default/events");
  EXPECT_EQ(events.text("items/0/message"), "made it");
  EXPECT_EQ(events.text("items/0/count"), "2");
}

TEST_F(ProcessTest, ASecondOneWaitsUntilTheFirstHasGone) {
  Scene first(served_, with_lease("one"));
  Scene second(served_, with_lease("two"));
  first.start();
  first.settle();
  second.maker->make("second");
  second.start();
  for (int i = 0; i < 100; ++i) {
    first.settle();
    second.settle();
    EXPECT_FALSE(second.process->leads(second.now()));
    pass(kSecond / 4);
  }
  EXPECT_TRUE(second.streams.empty());
  first.stop();
  first.settle();
  EXPECT_TRUE(first.process->done());
  second.settle_for(5 * kSecond);
  EXPECT_TRUE(second.process->leads(second.now()));
  EXPECT_TRUE(made("second"));
}

TEST_F(ProcessTest, SendsNothingMoreOnceTheLeaseIsLost) {
  ProcessSettings settings = with_lease("one");
  settings.qps = 1;
  settings.burst = 6;
  Scene scene(served_, settings);
  scene.start();
  scene.settle();
  ASSERT_TRUE(scene.process->synced());
  // One goes out; the others wait for the rate limit when the lease runs out.
  for (int i = 0; i < 20; ++i) scene.maker->make(fmt::format("m{}", i));
  scene.wake();
  while (!scene.process->done()) {
    ASSERT_FALSE(scene.process->wake_at().is_zero());
    served_.now = later_by(scene.process->wake_at(), 1'000'000 * kSecond);
    scene.wake();
  }
  EXPECT_TRUE(scene.process->lost_lease());
  EXPECT_FALSE(scene.process->leads(scene.now()));
  EXPECT_TRUE(scene.streams.empty());
  const auto writes = static_cast<std::size_t>(
      std::count_if(scene.calls.begin(), scene.calls.end(),
                    [](const Call& call) { return call.kind == Call::Kind::kWrite; }));
  EXPECT_GT(writes, 5U);
  EXPECT_LT(writes, 15U);
  EXPECT_EQ(scene.maker->answers.size(), 20U - writes);
  for (const Answer& answer : scene.maker->answers) {
    EXPECT_EQ(answer.outcome, Answer::Outcome::kNotSent);
  }
  EXPECT_EQ(scene.telemetry.counts[Count::kCallsFenced], static_cast<std::int64_t>(20 - writes));
  EXPECT_EQ(scene.telemetry.counts[Count::kLeaseLost], 1);
  // Late answers change nothing.
  const std::deque<Call> in_flight = std::move(scene.calls);
  for (const Call& call : in_flight) scene.answer(call, testing::answer_of(200));
  EXPECT_TRUE(scene.calls.empty());
  EXPECT_EQ(holder(), "one") << "who lost the lease cannot give it back";
}

TEST_F(ProcessTest, AsksTheServerToGiveUpWritesWhenItDoes) {
  ProcessSettings settings = with_lease("one");
  settings.lease->renew_deadline_ns = 5 * kSecond;
  Scene scene(served_, settings);
  scene.start();
  EXPECT_EQ(scene.calls.front().request.query, "") << "it reads the lease";
  scene.settle();
  scene.maker->make("one");
  scene.wake();
  const Call write = scene.take(Call::Kind::kWrite);
  EXPECT_EQ(write.request.query, "timeout=5s");
  scene.answer(write, testing::carry_out(served_, write.request));
  bool renewed = false;
  scene.instead_of_server = [&](const Call& call) {
    if (call.kind == Call::Kind::kLease && call.request.method == model::Method::kPut) {
      EXPECT_EQ(call.request.query, "timeout=2500ms");
      renewed = true;
    }
    return false;
  };
  scene.settle_for(10 * kSecond);
  EXPECT_TRUE(renewed);
}

TEST_F(ProcessTest, StopsOnlyAfterInFlightRequests) {
  Scene scene(served_, with_lease("one"));
  scene.start();
  scene.settle();
  scene.maker->make("slow");
  scene.wake();
  const Call write = scene.take(Call::Kind::kWrite);
  EXPECT_EQ(write.deadline_ns, kWriteDeadlineNs);
  scene.stop();
  scene.settle();
  EXPECT_FALSE(scene.process->done());
  EXPECT_EQ(holder(), "one");
  scene.answer(write, testing::carry_out(served_, write.request));
  scene.settle();
  EXPECT_TRUE(scene.process->done());
  EXPECT_EQ(holder(), "");
  EXPECT_TRUE(made("slow"));
}

TEST_F(ProcessTest, KeepsTheLeaseWhileAWriteOfUnknownOutcomeMayStillBeCarriedOut) {
  Scene scene(served_, with_lease("one"));
  scene.start();
  scene.settle();
  scene.maker->make("slow");
  scene.wake();
  const Call write = scene.take(Call::Kind::kWrite);
  pass(kSecond);
  scene.answer(write, {.outcome = Answer::Outcome::kUnknown});
  scene.stop();
  scene.settle_for(kWriteDeadlineNs - 2 * kSecond);
  EXPECT_FALSE(scene.process->done());
  EXPECT_EQ(holder(), "one");
  scene.settle_for(2 * kSecond);
  EXPECT_TRUE(scene.process->done());
  EXPECT_EQ(holder(), "");
}

TEST_F(ProcessTest, DoesNotWaitForEverToStop) {
  ProcessSettings settings = with_lease("one");
  settings.qps = 1;
  settings.burst = 6;
  Scene scene(served_, settings);
  scene.start();
  scene.settle();
  for (int i = 0; i < 100; ++i) scene.maker->make(fmt::format("m{}", i));
  scene.wake();
  scene.settle();
  scene.stop();
  Nanoseconds waited = 0;
  for (; !scene.process->done(); waited += kSecond / 4) {
    ASSERT_LT(waited, 30 * kSecond);
    scene.settle();
    pass(kSecond / 4);
  }
  EXPECT_GE(waited, 9 * kSecond) << "what was begun had its time";
  EXPECT_EQ(holder(), "");
  EXPECT_EQ(scene.maker->answers.size(), 100U);
}

TEST_F(ProcessTest, ReportsAScaleDownThatWasInProgressWhenItHadToStop) {
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  const auto reasons = [this] {
    std::set<std::string> found;
    const auto list = served_.get("/api/v1/namespaces/default/events");
    for (const auto& item : list.body.at("items").as_array()) {
      found.emplace(item.at("reason").as_string());
    }
    return found;
  };
  EXPECT_EQ(served_.post(sets, testing::replica_set_json("web", 40)).code, 201);
  // Another one, so that its events do not count against those of the scale-down.
  Scene before(served_, with_lease("before"), Scene::Cast::kReal);
  before.start();
  before.settle_for(20 * kSecond);
  before.stop();
  before.settle_for(5 * kSecond);
  ASSERT_TRUE(before.process->done());
  ProcessSettings settings = with_lease("one");
  settings.qps = 10;
  settings.burst = 10;
  Scene scene(served_, settings, Scene::Cast::kReal);
  scene.start();
  scene.settle_for(5 * kSecond);
  served_.patch(sets + "/web", "merge-patch", R"({"spec":{"replicas":5}})");
  scene.settle_for(kSecond / 4);
  ASSERT_EQ(reasons().count("DownscaleDecision"), 0U) << "the round is under way";
  scene.stop();
  scene.settle_for(12 * kSecond);
  EXPECT_TRUE(scene.process->done());
  EXPECT_EQ(holder(), "");
  EXPECT_EQ(served_.get("/api/v1/namespaces/default/pods").body.at("items").as_array().size(), 5U);
  EXPECT_EQ(reasons().count("DownscaleDecision"), 1U);
  EXPECT_EQ(reasons().count("SuccessfulDelete"), 1U);
  for (const std::string& line : scene.telemetry.lines) {
    EXPECT_EQ(line.find("dropped"), std::string::npos) << line;
  }
}

TEST_F(ProcessTest, SaysThatItStoppedBeforeItCouldTell) {
  ProcessSettings settings;
  settings.qps = 0.1;
  settings.burst = 7;
  Scene scene(served_, settings);
  scene.start();
  scene.settle();
  scene.maker->record_event(scene.now());
  scene.maker->record_event(scene.now(), "Other");
  scene.maker->record_event(scene.now(), std::string(kDecisionReason));
  scene.stop();
  scene.settle_for(3 * kSecond);
  EXPECT_TRUE(scene.process->done());
  const auto events = served_.get("/api/v1/namespaces/default/events");
  ASSERT_EQ(events.body.at("items").as_array().size(), 1U);
  EXPECT_EQ(events.text("items/0/reason"), "DownscaleDecision");
  const auto dropped = [&scene](std::string_view reason) {
    return std::count(
        scene.telemetry.lines.begin(), scene.telemetry.lines.end(),
        fmt::format("dropped an event about default/p ({}): the process shut down first", reason));
  };
  EXPECT_EQ(dropped("Made"), 1);
  EXPECT_EQ(dropped("Other"), 1);
}

TEST_F(ProcessTest, StopsEvenIfTheServerNoLongerAnswers) {
  Scene scene(served_, with_lease("one"));
  scene.start();
  scene.settle();
  scene.maker->make("never");
  scene.wake();
  scene.stop();
  for (int i = 0; !scene.process->done(); ++i) {
    ASSERT_LT(i, 100);
    ASSERT_FALSE(scene.process->wake_at().is_zero());
    served_.now =
        later_by(std::max(scene.process->wake_at(), scene.now().mono), 1'000'000 * kSecond);
    scene.wake();
  }
}

TEST_F(ProcessTest, StopsWhileItWaitsForTheLease) {
  Scene first(served_, with_lease("one"));
  first.start();
  first.settle();
  Scene second(served_, with_lease("two"));
  second.start();
  second.settle();
  second.stop();
  second.settle();
  EXPECT_TRUE(second.process->done());
  EXPECT_FALSE(second.process->lost_lease());
  EXPECT_EQ(holder(), "one");
}

TEST_F(ProcessTest, RunsTheControllersOfItsSettings) {
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
  const auto count = [this](const std::string& path) {
    return served_.get(path).body.at("items").as_array().size();
  };
  const auto pods = [&count] { return count("/api/v1/namespaces/default/pods"); };
  EXPECT_EQ(served_.post(sets, testing::replica_set_json("web", 5)).code, 201);
  std::string deployment = testing::replica_set_json("shop", 2);
  deployment.replace(deployment.find("ReplicaSet"), 10, "Deployment");
  EXPECT_EQ(served_.post(deployments, deployment).code, 201);
  Scene scene(served_, with_lease("one"), Scene::Cast::kReal);
  scene.start();
  scene.settle_for(5 * kSecond);
  EXPECT_EQ(pods(), 7U);
  EXPECT_EQ(count(sets), 2U);
  EXPECT_EQ(served_.get(sets + "/web").text("status/replicas"), "5");
  EXPECT_EQ(served_.get(deployments + "/shop").text("status/replicas"), "2");
  served_.patch(sets + "/web", "merge-patch", R"({"spec":{"replicas":2}})");
  scene.settle_for(5 * kSecond);
  EXPECT_EQ(pods(), 4U);
  EXPECT_EQ(served_.get(sets + "/web").text("status/replicas"), "2");
  scene.stop();
  scene.settle_for(kSecond);
  EXPECT_TRUE(scene.process->done());
  EXPECT_EQ(holder(), "");
}

TEST_F(ProcessTest, StopsBeforeItStarted) {
  Scene scene(served_, {});
  scene.stop();
  EXPECT_TRUE(scene.process->done());
}

}  // namespace
}  // namespace ebb::control
