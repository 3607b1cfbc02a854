#include "control/replicaset/replica_set_status.h"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using model::Pod;
using testing::ago;
using testing::kHour;
using testing::kNow;
using testing::kSecond;

class ReplicaSetStatus : public ::testing::Test {
 protected:
  ReplicaSetStatus() {
    static_cast<model::ReplicaSet&>(set_) = world_.replica_set("web", 3);
    set_.template_labels = world_.labels({{"app", "web"}, {"tier", "a"}});
    set_.generation = 4;
  }

  Pod pod(bool ready, Nanoseconds ready_for_ns = kHour) {
    Pod made = world_.pod("web-x");
    made.labels = set_.template_labels;
    made.ready = ready;
    made.ready_since = ago(ready_for_ns);
    return made;
  }
  StatusCounts count(bool terminating = true) {
    std::vector<Claim::Ignored> ignored;
    for (const Pod& one : ignored_) ignored.push_back({&one, ""});
    return count_status(set_, testing::pointers(pods_), ignored, terminating, kNow);
  }

  testing::World world_;
  ReplicaSet set_;
  std::vector<Pod> pods_;
  std::vector<Pod> ignored_;
};

TEST_F(ReplicaSetStatus, CountsPodsByLabelsAndReadiness) {
  pods_ = {pod(true), pod(true), pod(false)};
  pods_[0].labels = world_.labels({{"app", "web"}});
  pods_[1].labels = world_.labels({{"app", "web"}, {"more", "x"}, {"tier", "a"}});
  const StatusCounts counts = count();
  EXPECT_EQ(counts.replicas, 3);
  EXPECT_EQ(counts.fully_labeled, 2);
  EXPECT_EQ(counts.ready, 2);
  EXPECT_EQ(counts.available, 2);
  EXPECT_EQ(counts.terminating, 0);
  EXPECT_EQ(counts.generation, 4);
}

TEST_F(ReplicaSetStatus, CountsTerminatingPodsThatItStillSelects) {
  ignored_ = {pod(true), pod(true), pod(true), pod(true)};
  for (Pod& one : ignored_) one.deleting = true;
  ignored_[1].phase = model::Phase::kFailed;
  ignored_[2].labels = world_.labels({{"app", "other"}});
  EXPECT_EQ(count().terminating, 2);
  EXPECT_EQ(count(false).terminating, std::nullopt);
}

TEST_F(ReplicaSetStatus, AvailabilityComesAfterMinReadySeconds) {
  struct Case {
    bool ready;
    std::int32_t min_ready_seconds;
    Timestamp since;
    bool available;
    Nanoseconds wait_ns;  // -1: none
  };
  const Case cases[] = {
      {false, 0, ago(kHour), false, -1},      {false, 10, ago(kHour), false, -1},
      {true, 0, Timestamp(), true, -1},       {true, 10, Timestamp(), false, -1},
      {true, 1, ago(0), false, kSecond},      {true, 30, ago(20 * kSecond), false, 10 * kSecond},
      {true, 30, ago(30 * kSecond), true, 0}, {true, 50, ago(51 * kSecond), true, -kSecond},
  };
  for (const Case& c : cases) {
    Pod one = pod(c.ready);
    one.ready_since = c.since;
    const Availability result = availability(one, c.min_ready_seconds, kNow);
    EXPECT_EQ(result.available, c.available);
    if (c.wait_ns == -1) {
      EXPECT_TRUE(result.at.is_zero());
    } else {
      EXPECT_EQ(elapsed_ns(kNow, result.at), c.wait_ns);
    }
  }
}

TEST_F(ReplicaSetStatus, TheNextAvailablePodIsTheOneThatIsReadyLongest) {
  set_.min_ready_seconds = 10;
  pods_ = {pod(true, 2 * kSecond), pod(true, 0), pod(true, 4 * kSecond), pod(true), pod(false)};
  EXPECT_EQ(elapsed_ns(kNow, count().next_available), 6 * kSecond);
}

class NewStatus : public ReplicaSetStatus {
 protected:
  NewStatus() {
    set_.status_replicas = 2;
    set_.fully_labeled = 2;
    set_.ready = 1;
    set_.available = 1;
    set_.terminating = 0;
    set_.observed_generation = 4;
    counts_ = {.replicas = 2,
               .fully_labeled = 2,
               .ready = 1,
               .available = 1,
               .terminating = 0,
               .generation = 4};
    set_json("[]");
  }
  void set_json(const std::string& conditions) {
    set_.json = R"({"status":{"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":1,)"
                R"("availableReplicas":1,"terminatingReplicas":0,"observedGeneration":4,)"
                R"("conditions":)" +
                conditions + "}}";
  }
  std::string write(const StatusConditions& conditions = {}) {
    const auto object = with_new_status(set_, counts_, conditions, kNow);
    return object ? boost::json::serialize(object->at("status")) : "nothing";
  }

  StatusCounts counts_;
  const ConditionText failure_{.reason = "FailedCreate", .message = "no"};
  const std::string condition_ =
      R"({"type":"ReplicaFailure","status":"True","lastTransitionTime":"2026-11-01T12:00:00Z",)"
      R"("reason":"FailedCreate","message":"no"})";
  const std::string foreign_ = R"({"type":"Other","status":"True"})";
};

TEST_F(NewStatus, NothingIsWrittenIfNothingChanged) {
  EXPECT_EQ(write(), "nothing");
  set_json("[" + foreign_ + "]");
  EXPECT_EQ(write(), "nothing");
}

TEST_F(NewStatus, AnyDifferenceIsWritten) {
  const StatusCounts same = counts_;
  for (std::int32_t StatusCounts::*field : {&StatusCounts::replicas, &StatusCounts::fully_labeled,
                                            &StatusCounts::ready, &StatusCounts::available}) {
    counts_ = same;
    ++(counts_.*field);
    EXPECT_NE(write(), "nothing");
  }
  counts_ = same;
  counts_.terminating = 1;
  EXPECT_NE(write(), "nothing");
  counts_ = same;
  counts_.generation = 5;
  EXPECT_NE(write().find(R"("observedGeneration":5)"), std::string::npos);
}

TEST_F(NewStatus, LeavesZerosOutAsKubernetesDoes) {
  counts_ = {.generation = 4};
  EXPECT_EQ(write(), R"({"replicas":0,"observedGeneration":4})");
  counts_.terminating = 0;
  EXPECT_EQ(write(), R"({"replicas":0,"observedGeneration":4,"terminatingReplicas":0})");
}

TEST_F(NewStatus, AFailureIsAddedKeptAndRemoved) {
  EXPECT_NE(write({.failure = failure_}).find("[" + condition_ + "]"), std::string::npos);
  // The transition time stays, although reason and message change.
  set_json("[" + foreign_ + "," + condition_ + "]");
  EXPECT_EQ(write({.failure = {{.reason = "FailedDelete", .message = "other"}}}), "nothing");
  EXPECT_NE(write().find(R"("conditions":[)" + foreign_ + "]"), std::string::npos);
  set_json("[" + condition_ + "]");
  EXPECT_EQ(write().find("conditions"), std::string::npos);
}

TEST_F(NewStatus, AWaitForRanksIsReportedBesideAFailure) {
  const ConditionText waiting{.reason = "RanksAwaited", .message = "why"};
  const std::string condition =
      R"({"type":"RanksAwaited","status":"True","lastTransitionTime":"2026-11-01T12:00:00Z",)"
      R"("reason":"RanksAwaited","message":"why"})";
  EXPECT_NE(write({.failure = failure_, .waiting = waiting}).find(condition_ + "," + condition),
            std::string::npos);
  set_json("[" + condition_ + "," + condition + "]");
  EXPECT_EQ(write({.failure = failure_, .waiting = waiting}), "nothing");
  EXPECT_NE(write({.failure = failure_}).find("[" + condition_ + "]"), std::string::npos);
}

}  // namespace
}  // namespace ebb::control
