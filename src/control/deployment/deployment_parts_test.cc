// Annotations, revisions, history, conditions and progress, rule by rule.
#include <limits>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/deployment/deployment_annotations.h"
#include "control/deployment/deployment_conditions.h"
#include "control/deployment/deployment_history.h"
#include "control/deployment/deployment_status.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;
using schema::text_at;

json::object parse(std::string_view text) { return json::parse(text).as_object(); }

const Timestamp kNow = Timestamp::from_seconds(1'790'000'000);

Timestamp seconds_ago(std::int64_t seconds) {
  return Timestamp::from_seconds(1'790'000'000 - seconds);
}

TEST(DeploymentNumbers, SurgeIsRoundedUpAndAvailabilityDown) {
  struct Case {
    const char* strategy;
    std::int64_t replicas;
    std::int64_t surge;
    std::int64_t unavailable;
  };
  const Case cases[] = {
      {R"({"type":"RollingUpdate"})", 10, 3, 2},  // 25% of 10
      {R"({"rollingUpdate":{"maxSurge":"0%","maxUnavailable":"0%"}})", 10, 0, 1},
      {R"({"rollingUpdate":{"maxSurge":"39%","maxUnavailable":"39%"}})", 10, 4, 3},
      {R"({"rollingUpdate":{"maxSurge":0,"maxUnavailable":0}})", 10, 0, 1},
      {R"({"rollingUpdate":{"maxSurge":3,"maxUnavailable":20}})", 10, 3, 10},
      {R"({"rollingUpdate":{"maxSurge":"oops","maxUnavailable":"5"}})", 10, 0, 1},
      {R"({"rollingUpdate":{"maxSurge":"9999999999%","maxUnavailable":"0%"}})", 1, 21474837, 0},
      {R"({"rollingUpdate":{"maxSurge":"99999999999999999999%","maxUnavailable":"0%"}})", 1,
       21474837, 0},
      {R"({"rollingUpdate":{"maxSurge":2,"maxUnavailable":1}})", 0, 2, 0},
      {R"({"type":"Recreate"})", 10, 0, 0},
      {R"({"rollingUpdate":{"maxSurge":"100%","maxUnavailable":"100%"}})", 2147483647, 2147483647,
       2147483647},
  };
  for (const Case& c : cases) {
    json::object object = parse(R"({"metadata":{"name":"web"},"spec":{}})");
    object["spec"].as_object()["strategy"] = json::parse(c.strategy);
    object["spec"].as_object()["replicas"] = c.replicas;
    const DeploymentView view = read_deployment(std::move(object));
    EXPECT_EQ(view.surge, c.surge) << c.strategy;
    EXPECT_EQ(view.unavailable, c.unavailable) << c.strategy;
  }
}

TEST(DeploymentAnnotations, InvalidSizesAreIgnored) {
  for (const char* text : {"", "x", "-1", "1.5", "4294967296", " 3"}) {
    json::object set = parse(R"({"metadata":{"name":"web-1","annotations":{}}})");
    schema::ensure_object(set, {"metadata", "annotations"})[kDesiredReplicas] = text;
    EXPECT_EQ(read_set(std::move(set)).desired, std::nullopt) << text;
  }
}

TEST(DeploymentAnnotations, ARevisionThatWasThereGoesToTheHistory) {
  json::object set = parse(R"({"metadata":{"annotations":{"deployment.kubernetes.io/revision":"2",
      "deployment.kubernetes.io/revision-history":"1"}}})");
  EXPECT_TRUE(annotate_new_set({}, 5, set));
  EXPECT_EQ(annotation(set, kRevision), "5");
  EXPECT_EQ(annotation(set, kRevisionHistory), "1,2");
  EXPECT_FALSE(annotate_new_set({}, 5, set)) << "once is enough";
  EXPECT_FALSE(annotate_new_set({}, 3, set)) << "it never goes back";
}

TEST(DeploymentAnnotations, ARevisionThatIsNotANumberStopsAllCopying) {
  json::object set =
      parse(R"({"metadata":{"annotations":{"deployment.kubernetes.io/revision":"mine"}}})");
  const json::object deployment = parse(R"({"metadata":{"annotations":{"a":"b"}}})");
  EXPECT_FALSE(annotate_new_set(deployment, 5, set));
  EXPECT_EQ(annotation(set, "a"), "");
}

TEST(DeploymentAnnotations, HistoryIsCutFromTheOldEnd) {
  EXPECT_EQ(extend_history("", "1", 5), "1");
  EXPECT_EQ(extend_history("1,2", "3", 5), "1,2,3");
  EXPECT_EQ(extend_history("1,2,3", "4", 5), "2,3,4");
  EXPECT_EQ(extend_history("1,22222", "3", 5), "3");
  EXPECT_EQ(extend_history("1", "1234567", 5), std::nullopt);
}

TEST(DeploymentAnnotations, TheNextRevisionFollowsTheHighest) {
  std::vector<SetView> sets(3);
  sets[0].revision = 3;
  sets[1].revision = std::nullopt;
  sets[2].revision = 7;
  EXPECT_EQ(next_revision({&sets[0], &sets[1], &sets[2]}), 8);
  EXPECT_EQ(next_revision({}), 1);
}

TEST(DeploymentAnnotations, TheHighestRevisionThatThereCanBeHasNoNextOne) {
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  SetView set;
  set.revision = kHighest;
  EXPECT_EQ(next_revision({&set}), kHighest);
}

TEST(DeploymentHistory, WhatGoesAndWhatStays) {
  struct Old {
    std::int64_t replicas = 0;
    std::int64_t status_replicas = 0;
    std::int64_t generation = 1;
    std::int64_t observed = 1;
    bool deleting = false;
    std::optional<std::int64_t> revision = 0;
  };
  struct Case {
    const char* name;
    std::optional<std::int64_t> limit;
    std::vector<Old> sets;
    std::string gone;
  };
  const Case cases[] = {
      {"the oldest", 1, {{}, {}, {}}, "0 1"},
      {"the lowest revision", 2, {{.revision = 3}, {.revision = 1}, {.revision = 2}}, "1"},
      {"by age where a revision is no number",
       1,
       {{.revision = 9}, {.revision = std::nullopt}, {.revision = 9}},
       "0 1"},
      {"all", 0, {{}, {}}, "0 1"},
      {"none is too many", 10, {{}, {}}, ""},
      {"no limit", std::nullopt, {{}, {}, {}}, ""},
      {"those with replicas stay, and none goes instead", 1, {{.replicas = 1}, {}, {}}, "1"},
      {"those with pods stay", 0, {{.status_replicas = 1}, {}}, "1"},
      {"those nobody has looked at stay", 0, {{.generation = 2}, {}}, "1"},
      {"those going already do not count", 1, {{.deleting = true}, {}, {}}, "1"},
  };
  for (const Case& c : cases) {
    Snapshot snapshot;
    snapshot.deployment.history_limit = c.limit;
    for (std::size_t i = 0; i < c.sets.size(); ++i) {
      SetView set;
      set.name = std::to_string(i);
      set.created = Timestamp::from_seconds(static_cast<std::int64_t>(i));
      set.replicas = c.sets[i].replicas;
      set.status_replicas = c.sets[i].status_replicas;
      set.generation = c.sets[i].generation;
      set.observed_generation = c.sets[i].observed;
      set.deleting = c.sets[i].deleting;
      set.revision = c.sets[i].revision;
      snapshot.sets.push_back(std::move(set));
    }
    std::string gone;
    for (const SetView* set : surplus_history(snapshot, nullptr)) {
      gone += (gone.empty() ? "" : " ") + set->name;
    }
    EXPECT_EQ(gone, c.gone) << c.name;
  }
}

TEST(DeploymentConditions, ChangeOnlyWithStatusOrReason) {
  json::object status;
  EXPECT_TRUE(set_condition(status, make_condition("A", kTrue, "r", "m", seconds_ago(50))));
  EXPECT_TRUE(set_condition(status, make_condition("B", kTrue, "r", "m", seconds_ago(50))));
  EXPECT_FALSE(set_condition(status, make_condition("A", kTrue, "r", "other", kNow)));
  EXPECT_EQ(text_at(*find_condition(status, "A"), {"message"}), "m");

  EXPECT_TRUE(set_condition(status, make_condition("A", kTrue, "r2", "m", kNow)));
  const json::object& changed = status.at("conditions").as_array().back().as_object();
  EXPECT_EQ(text_at(changed, {"type"}), "A") << "what has changed comes last";
  EXPECT_EQ(text_at(changed, {"lastTransitionTime"}), model::time_text(seconds_ago(50)));
  EXPECT_EQ(text_at(changed, {"lastUpdateTime"}), model::time_text(kNow));

  EXPECT_TRUE(set_condition(status, make_condition("A", kFalse, "r2", "m", kNow)));
  EXPECT_EQ(text_at(*find_condition(status, "A"), {"lastTransitionTime"}), model::time_text(kNow));
  remove_condition(status, "A");
  EXPECT_EQ(find_condition(status, "A"), nullptr);
  EXPECT_NE(find_condition(status, "B"), nullptr);
}

// A rollout of 10 with a deadline of 60 seconds and the counts that its status had, and what its
// ReplicaSets report now.
struct Rollout {
  std::int64_t updated_before = 0;
  std::int64_t ready_before = 0;
  std::int64_t available_before = 0;
  std::int64_t replicas_before = 10;
  const char* reason = nullptr;  // of the condition Progressing before
  const char* status = "True";
  std::int64_t age_seconds = 10;  // of that condition
  std::int64_t updated = 0;
  std::int64_t old = 10;
  std::int64_t available = 0;
  const char* deadline = "60";
};

Snapshot snapshot_of(const Rollout& rollout) {
  json::object deployment = parse(fmt::format(
      R"({{"metadata":{{"name":"web","generation":3}},
          "spec":{{"replicas":10,"progressDeadlineSeconds":{}}},
          "status":{{"observedGeneration":3,"replicas":{},"updatedReplicas":{},
                     "readyReplicas":{},"availableReplicas":{}}}}})",
      rollout.deadline, rollout.replicas_before, rollout.updated_before, rollout.ready_before,
      rollout.available_before));
  if (rollout.reason != nullptr) {
    set_condition(deployment["status"].as_object(),
                  make_condition(kProgressing, rollout.status, rollout.reason, "m",
                                 seconds_ago(rollout.age_seconds)));
  }
  Snapshot snapshot;
  snapshot.deployment = read_deployment(std::move(deployment));
  SetView fresh;
  fresh.name = "web-new";
  fresh.replicas = fresh.status_replicas = rollout.updated;
  fresh.ready = fresh.available = rollout.available;
  SetView old;
  old.name = "web-old";
  old.replicas = old.status_replicas = rollout.old;
  snapshot.sets = {fresh, old};
  return snapshot;
}

TEST(DeploymentProgress, JudgesAsUpstreamDoes) {
  struct Case {
    const char* name;
    Rollout rollout;
    const char* expected;  // status and reason of Progressing
    const char* message = nullptr;
  };
  const Case cases[] = {
      {"no deadline, no condition", {.reason = "ReplicaSetUpdated", .deadline = "2147483647"}, ""},
      {"null is no deadline", {.reason = "ReplicaSetUpdated", .deadline = "null"}, ""},
      {"no condition and no progress", {}, ""},
      {"more updated",
       {.updated = 1},
       "True ReplicaSetUpdated",
       "ReplicaSet \"web-new\" is progressing."},
      {"fewer old ones", {.reason = "NewReplicaSetCreated", .old = 9}, "True ReplicaSetUpdated"},
      {"more ready and available",
       {.updated_before = 5, .reason = "ReplicaSetUpdated", .updated = 5, .old = 5, .available = 1},
       "True ReplicaSetUpdated"},
      {"complete",
       {.updated_before = 9, .updated = 10, .old = 0, .available = 10},
       "True NewReplicaSetAvailable",
       "ReplicaSet \"web-new\" has successfully progressed."},
      {"complete after running out of time",
       {.updated_before = 9,
        .reason = "ProgressDeadlineExceeded",
        .status = "False",
        .updated = 10,
        .old = 0,
        .available = 10},
       "True NewReplicaSetAvailable"},
      {"progress after running out of time",
       {.updated_before = 3,
        .reason = "ProgressDeadlineExceeded",
        .status = "False",
        .updated = 4,
        .old = 6},
       "True ReplicaSetUpdated"},
      {"no progress, in time",
       {.reason = "ReplicaSetUpdated", .age_seconds = 60},
       "True ReplicaSetUpdated"},
      {"no progress, too late",
       {.reason = "ReplicaSetUpdated", .age_seconds = 61},
       "False ProgressDeadlineExceeded",
       "ReplicaSet \"web-new\" has timed out progressing."},
      {"resumed long ago",
       {.reason = "DeploymentResumed", .status = "Unknown", .age_seconds = 61},
       "False ProgressDeadlineExceeded"},
      {"stays out of time",
       {.reason = "ProgressDeadlineExceeded", .status = "False", .age_seconds = 1},
       "False ProgressDeadlineExceeded"},
      {"a finished rollout is not judged again",
       {.updated_before = 10,
        .ready_before = 10,
        .available_before = 10,
        .reason = "NewReplicaSetAvailable",
        .age_seconds = 1000,
        .updated = 10,
        .old = 0,
        .available = 5},
       "True NewReplicaSetAvailable"},
      {"the rollout before was finished, which is no reason to hurry",
       {.reason = "NewReplicaSetAvailable", .age_seconds = 1000},
       "True NewReplicaSetAvailable"},
  };
  for (const Case& c : cases) {
    const Snapshot snapshot = snapshot_of(c.rollout);
    const json::object status = rollout_status(snapshot, &snapshot.sets[0], kNow, {});
    const json::object* condition = find_condition(status, kProgressing);
    EXPECT_EQ(condition == nullptr ? ""
                                   : fmt::format("{} {}", text_at(*condition, {"status"}),
                                                 text_at(*condition, {"reason"})),
              c.expected)
        << c.name;
    if (c.message != nullptr) {
      EXPECT_EQ(text_at(*condition, {"message"}), c.message) << c.name;
    }
  }
}

TEST(DeploymentProgress, CountsFromTheLatestProgress) {
  const Snapshot snapshot =
      snapshot_of({.updated_before = 1, .reason = "ReplicaSetUpdated", .updated = 2, .old = 8});
  const json::object status = rollout_status(snapshot, &snapshot.sets[0], kNow, {});
  const json::object* condition = find_condition(status, kProgressing);
  EXPECT_EQ(text_at(*condition, {"lastUpdateTime"}), model::time_text(kNow));
  EXPECT_EQ(text_at(*condition, {"lastTransitionTime"}), model::time_text(seconds_ago(10)));
}

TEST(DeploymentProgress, KnowsWhenToLookAgain) {
  struct Case {
    const char* name;
    Rollout rollout;
    std::optional<Nanoseconds> expected;
  };
  const Case cases[] = {
      {"no deadline", {.reason = "ReplicaSetUpdated", .deadline = "2147483647"}, std::nullopt},
      {"no condition", {}, std::nullopt},
      {"out of time already", {.reason = "ProgressDeadlineExceeded"}, std::nullopt},
      {"complete",
       {.updated_before = 10,
        .available_before = 10,
        .reason = "ReplicaSetUpdated",
        .updated = 10,
        .old = 0,
        .available = 10},
       std::nullopt},
      {"later", {.reason = "ReplicaSetUpdated", .age_seconds = 30}, 31 * kSecond},
      {"a second before", {.reason = "ReplicaSetUpdated", .age_seconds = 59}, 2 * kSecond},
      {"now", {.reason = "ReplicaSetUpdated", .age_seconds = 60}, kSecond / 100},
      {"overdue", {.reason = "ReplicaSetUpdated", .age_seconds = 90}, kSecond},
      {"through long ago, but a pod has failed since",
       {.updated_before = 10,
        .available_before = 10,
        .reason = "NewReplicaSetAvailable",
        .age_seconds = 3600,
        .updated = 10,
        .old = 0,
        .available = 9},
       std::nullopt},
  };
  for (const Case& c : cases) {
    const Snapshot snapshot = snapshot_of(c.rollout);
    const json::object status = plain_status(snapshot, &snapshot.sets[0], kNow, {});
    EXPECT_EQ(time_to_deadline_ns(snapshot.deployment, status, kNow), c.expected) << c.name;
  }
}

TEST(DeploymentStatus, TerminatingPodsAreUnknownIfOneReplicaSetDoesNotSay) {
  Snapshot snapshot = snapshot_of({});
  const auto terminating = [&] {
    return schema::integer_at(plain_status(snapshot, nullptr, kNow, {}), {"terminatingReplicas"});
  };
  snapshot.sets[0].terminating = 2;
  EXPECT_EQ(terminating(), 2) << "one that nobody has looked at has none";
  snapshot.sets[1].observed_generation = 1;
  EXPECT_EQ(terminating(), std::nullopt);
  snapshot.sets[1].terminating = 3;
  EXPECT_EQ(terminating(), 5);
}

TEST(DeploymentStatus, TheNewReplicaSetsFailureComesFirst) {
  Snapshot snapshot = snapshot_of({});
  const auto failure = [&] {
    const json::object status = rollout_status(snapshot, &snapshot.sets[0], kNow, {});
    return std::string(reason_of(find_condition(status, kReplicaFailure)));
  };
  const auto fail = [](SetView& set, std::string_view reason) {
    set.failure = std::make_shared<const json::object>(json::object{
        {"type", "ReplicaFailure"}, {"status", "True"}, {"reason", reason}, {"message", "m"}});
  };
  EXPECT_EQ(failure(), "");
  fail(snapshot.sets[1], "old");
  EXPECT_EQ(failure(), "old");
  fail(snapshot.sets[0], "new");
  EXPECT_EQ(failure(), "new");
}

TEST(DeploymentStatus, ZeroAndAbsentAreTheSame) {
  EXPECT_TRUE(same_status(parse(R"({"replicas":0,"conditions":[]})"), parse("{}")));
  EXPECT_FALSE(same_status(parse(R"({"terminatingReplicas":0})"), parse("{}")));
  EXPECT_FALSE(same_status(parse(R"({"replicas":1})"), parse("{}")));
}

}  // namespace
}  // namespace ebb::control::deployments
