// The order of steps within a sync.
#include "control/deployment/deployment_decision.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/control/deployment_scene.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;
using Kind = Step::Kind;

const SyncContext kSetting{.now = Timestamp::from_seconds(1'790'000'000), .gates = {}};

// A Deployment in the middle of a rollout, as it was left by the step before: nothing is to be
// prepared, and its new ReplicaSet may grow from 1 to 5.
Snapshot in_the_middle() {
  json::object deployment =
      json::parse(testing::deployment_json(10, R"("progressDeadlineSeconds":600)", "web:2"))
          .as_object();
  deployment["metadata"].as_object()["uid"] = "d";
  deployment["metadata"].as_object()["annotations"] = {{kRevision, "2"}};
  deployment["status"] = {
      {"conditions",
       {{{"type", "Progressing"}, {"status", "True"}, {"reason", "ReplicaSetUpdated"}}}}};
  Snapshot snapshot;
  snapshot.deployment = read_deployment(deployment);
  int revision = 0;
  for (const char* image : {"web:1", "web:2"}) {
    json::object set;
    ++revision;
    set["metadata"] = {{"name", fmt::format("web-{}", revision)},
                       {"uid", fmt::format("rs-{}", revision)},
                       {"annotations", {{kRevision, std::to_string(revision)}}}};
    set["spec"] = {{"replicas", revision == 1 ? 8 : 1},
                   {"template",
                    json::parse(testing::deployment_json(1, "", image)).at("spec").at("template")}};
    snapshot.sets.push_back(read_set(std::move(set)));
  }
  return snapshot;
}

TEST(DeploymentDecision, SizesChangeOnceInAPassAndTheStatusFollows) {
  const Snapshot snapshot = in_the_middle();
  const Step first = next_step(snapshot, {}, kSetting);
  EXPECT_EQ(first.kind, Kind::kScale);
  ASSERT_EQ(first.writes.size(), 1U);
  EXPECT_EQ(first.writes[0].name, "web-2");
  const Step second = next_step(snapshot, {.scaled = true}, kSetting);
  EXPECT_EQ(second.kind, Kind::kFinish);
  ASSERT_EQ(second.writes.size(), 1U);
  EXPECT_EQ(second.writes[0].what, Write::What::kReplaceDeployment);
}

TEST(DeploymentDecision, AReplicaSetIsReadWholeBeforeItIsWritten) {
  Snapshot snapshot = in_the_middle();
  snapshot.deployment.paused = true;
  snapshot.deployment.progress_deadline_seconds.reset();
  snapshot.deployment.replicas = 5;
  snapshot.sets[0].desired = 10;
  snapshot.sets[0].whole = false;
  EXPECT_EQ(next_step(snapshot, {}, kSetting).unread, std::vector<std::string>{"web-1"});
  snapshot.sets[0].whole = true;
  const Step step = next_step(snapshot, {}, kSetting);
  EXPECT_TRUE(step.unread.empty());
  EXPECT_FALSE(step.writes.empty());
}

TEST(DeploymentDecision, LargeReplicaSetsAreNotAllWrittenInOneStep) {
  Snapshot snapshot = in_the_middle();
  snapshot.deployment.paused = true;
  snapshot.deployment.progress_deadline_seconds.reset();
  snapshot.deployment.replicas = 5;
  for (SetView& set : snapshot.sets) set.desired = 10;
  const Step all = next_step(snapshot, {}, kSetting);
  EXPECT_EQ(all.writes.size(), 2U);
  EXPECT_FALSE(all.partial);
  for (SetView& set : snapshot.sets) set.bytes = kMaxBytesPerStep;
  const Step some = next_step(snapshot, {}, kSetting);
  EXPECT_EQ(some.writes.size(), 1U);
  EXPECT_TRUE(some.partial);
}

TEST(DeploymentDecision, AnUnknownStrategyIsAProblem) {
  Snapshot snapshot = in_the_middle();
  snapshot.deployment.strategy = DeploymentView::Strategy::kUnknown;
  const Step step = next_step(snapshot, {}, kSetting);
  EXPECT_FALSE(step.problem.empty());
  EXPECT_TRUE(step.writes.empty());
}

TEST(DeploymentDecision, ASelectorOfEverythingIsRefused) {
  Snapshot snapshot = in_the_middle();
  snapshot.deployment.selects_everything = true;
  snapshot.deployment.generation = 3;
  const Step step = next_step(snapshot, {}, kSetting);
  ASSERT_TRUE(step.notice);
  EXPECT_EQ(step.notice->reason, "SelectingAll");
  ASSERT_EQ(step.writes.size(), 1U);
  EXPECT_NE(step.writes[0].request.body.find(R"("observedGeneration":3)"), std::string::npos);
}

// The Deployment is scaled while it has two active ReplicaSets, of which Recreate keeps only one.
// If scaling came first, the two would wait for each other forever.
TEST(DeploymentDecision, RecreateComesBeforeScalingSeveral) {
  Snapshot snapshot = in_the_middle();
  snapshot.deployment.strategy = DeploymentView::Strategy::kRecreate;
  for (SetView& set : snapshot.sets) set.desired = 3;
  const Step step = next_step(snapshot, {}, kSetting);
  EXPECT_EQ(step.kind, Kind::kScale);
  ASSERT_EQ(step.writes.size(), 1U);
  EXPECT_EQ(step.writes[0].name, "web-1");
  EXPECT_NE(step.writes[0].request.body.find(R"("replicas":0)"), std::string::npos);
}

// Items of lists lack kind and apiVersion, which the API server needs in a request.
TEST(DeploymentDecision, WritesHaveAKindAndKeepUnknownFields) {
  Snapshot snapshot = in_the_middle();
  snapshot.sets[1].object["spec"].as_object()["fromTheFuture"] = 1;
  const Step step = next_step(snapshot, {}, kSetting);
  const json::object body = json::parse(step.writes[0].request.body).as_object();
  EXPECT_EQ(body.at("kind"), "ReplicaSet");
  EXPECT_EQ(body.at("apiVersion"), "apps/v1");
  EXPECT_EQ(body.at("spec").at("fromTheFuture"), 1);
}

}  // namespace
}  // namespace ebb::control::deployments
