#include "control/replicaset/replica_set_step.h"

#include <functional>

#include <boost/json/parse.hpp>

#include "base/deadline_queue.h"
#include "support/control/replica_set_step_scene.h"

namespace ebb::control::replicasets {
namespace {

using testing::kSecond;
using Kind = Step::Kind;
using Stage = Progress::Stage;

class ReplicaSetStep : public testing::ReplicaSetStepScene {};

TEST_F(ReplicaSetStep, DependsOnTheNumberOfPodsAndOnWhatIsAllowed) {
  struct Case {
    int replicas;
    int pods;
    bool may_manage;
    bool deleting;
    bool stopping;
    Kind kind;
    std::size_t calls;
    std::size_t surplus;
    bool ends_scale_down;
  };
  const Case cases[] = {
      {3, 3, true, false, false, Kind::kWriteStatus, 1, 0, true},
      {3, 2, true, false, false, Kind::kCreate, 1, 0, true},
      {3, 0, true, false, false, Kind::kCreate, 1, 0, true},
      {3, 5, true, false, false, Kind::kScaleDown, 0, 2, false},
      {0, 5, true, false, false, Kind::kScaleDown, 0, 5, false},
      {-1, 5, true, false, false, Kind::kScaleDown, 0, 5, false},
      {1, 700, true, false, false, Kind::kScaleDown, 0, 500, false},
      // Earlier writes are not visible yet.
      {3, 5, false, false, false, Kind::kWriteStatus, 1, 0, false},
      {3, 2, false, false, false, Kind::kWriteStatus, 1, 0, false},
      {3, 5, true, true, false, Kind::kWriteStatus, 1, 0, true},
      {3, 2, true, true, false, Kind::kWriteStatus, 1, 0, true},
      {3, 5, true, false, true, Kind::kWriteStatus, 1, 0, false},
      {3, 2, true, false, true, Kind::kWriteStatus, 1, 0, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(fmt::format("{} of {}: {} {} {}", c.pods, c.replicas, c.may_manage, c.deleting,
                             c.stopping));
    pods_.clear();
    add_pods(c.pods);
    set_.replicas = c.replicas;
    set_.deleting = c.deleting;
    stopping_ = c.stopping;
    progress_ = {.may_manage = c.may_manage};
    const Step step = next();
    EXPECT_EQ(step.kind, c.kind);
    EXPECT_EQ(step.calls.size(), c.calls);
    EXPECT_EQ(step.surplus, c.surplus);
    EXPECT_EQ(step.ends_scale_down, c.ends_scale_down);
    EXPECT_EQ(progress_.counts.replicas, c.pods);
  }
}

TEST_F(ReplicaSetStep, AdoptingNeedsALiveRead) {
  add_pods(3);
  add_orphan("b");
  add_orphan("a");
  add_unselected("z");
  add_unselected("y");
  const Step read = next();
  EXPECT_EQ(read.kind, Kind::kReadOwner);
  EXPECT_EQ(read.calls.at(0).kind, Call::Kind::kRead);
  EXPECT_EQ(words(read), Texts{"GET replicasets/web"});
  progress_.owner = Progress::Owner::kMayAdopt;
  const Step claim = next();
  EXPECT_EQ(claim.kind, Kind::kClaim);
  EXPECT_EQ(words(claim), (Texts{"PATCH pods/a", "PATCH pods/b", "PATCH pods/y", "PATCH pods/z"}));
  EXPECT_EQ(claim.calls.at(1).pending.what, PendingCall::What::kAdopt);
  EXPECT_EQ(claim.calls.at(2).pending.what, PendingCall::What::kRelease);
  EXPECT_EQ(claim.calls.at(2).pending.pod_uid, "y");
}

TEST_F(ReplicaSetStep, WithoutTheRightToAdoptItReleasesAndThenFails) {
  add_orphan("a");
  add_unselected("z");
  progress_.owner = Progress::Owner::kMustNot;
  progress_.claim_error = "it is gone";
  EXPECT_EQ(words(next()), Texts{"PATCH pods/z"});
  const Step end = next();
  EXPECT_EQ(end.kind, Kind::kFinish);
  EXPECT_EQ(end.error, "it is gone");
}

TEST_F(ReplicaSetStep, AdoptsInBatchesUntilAnErrorOrAShutdown) {
  for (int number = 0; number < 1'200; ++number) add_orphan(fmt::format("orphan-{}", number));
  progress_.owner = Progress::Owner::kMayAdopt;
  EXPECT_EQ(next().calls.size(), 500U);
  EXPECT_EQ(next().calls.size(), 500U);
  const Progress before = progress_;
  EXPECT_EQ(next().calls.size(), 200U);
  EXPECT_NE(next().kind, Kind::kClaim);

  progress_ = before;
  progress_.claim_error = "it is gone";
  EXPECT_EQ(next().error, "it is gone");

  progress_ = before;
  stopping_ = true;
  EXPECT_NE(next().kind, Kind::kClaim);
}

// The cache shows them as orphans for a while.
TEST_F(ReplicaSetStep, OnlyOrphansThatItHasAdoptedCount) {
  set_.replicas = 0;
  add_pods(1);
  add_orphan("adopted");
  add_orphan("appeared-meanwhile");
  progress_.stage = Stage::kManaging;
  progress_.adopted = {"adopted"};
  EXPECT_EQ(next().surplus, 2U);
}

TEST_F(ReplicaSetStep, ClaimsOnceInASync) {
  progress_.stage = Stage::kManaging;
  add_pods(3);
  add_unselected("changed-meanwhile");
  EXPECT_EQ(next().kind, Kind::kWriteStatus);
}

TEST_F(ReplicaSetStep, CreatesInBatchesThatDouble) {
  set_.replicas = 600;
  for (const std::size_t batch : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 245U}) {
    EXPECT_FALSE(state_.expectations.satisfied() && progress_.stage == Stage::kCreating);
    const Step step = next();
    EXPECT_EQ(step.kind, Kind::kCreate);
    EXPECT_EQ(step.calls.size(), batch);
    for (std::size_t i = 0; i < batch; ++i) state_.expectations.not_created(1);
  }
  // The burst of 500 is over.
  EXPECT_EQ(next().kind, Kind::kWriteStatus);
  EXPECT_TRUE(state_.expectations.satisfied());
}

TEST_F(ReplicaSetStep, CreatesNoFurtherBatchIfSomethingChanged) {
  struct Case {
    const char* what;
    std::function<void()> change;
    Kind then;
  };
  const Case cases[] = {
      {"nothing", [] {}, Kind::kCreate},
      {"a create failed", [&] { progress_.creation.slow_start.failed(); }, Kind::kWriteStatus},
      {"the spec", [&] { ++set_.generation; }, Kind::kWriteStatus},
      {"deleted", [&] { set_.deleting = true; }, Kind::kWriteStatus},
      {"stopping", [&] { stopping_ = true; }, Kind::kWriteStatus},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    set_.generation = 4;
    set_.deleting = stopping_ = false;
    progress_ = {.may_manage = true};
    ASSERT_EQ(next().calls.size(), 1U);
    state_.expectations.not_created(1);
    c.change();
    EXPECT_EQ(next().kind, c.then);
    // Creates that were never sent are not expected.
    EXPECT_EQ(state_.expectations.satisfied(), c.then == Kind::kWriteStatus);
  }
}

TEST_F(ReplicaSetStep, AnInvalidTemplateIsAFailureInTheStatus) {
  set_.json = R"({"metadata":{"name":"web"},"spec":{}})";
  const Step step = next();
  EXPECT_EQ(step.kind, Kind::kWriteStatus);
  EXPECT_NE(step.calls.at(0).request.body.find(R"("reason":"FailedCreate")"), std::string::npos);
  EXPECT_TRUE(state_.expectations.satisfied());
}

TEST_F(ReplicaSetStep, EndsIfTheReplicaSetIsGone) {
  for (const Stage stage : {Stage::kClaiming, Stage::kManaging, Stage::kCreating, Stage::kDeleting,
                            Stage::kReporting}) {
    progress_ = {.stage = stage};
    const Step step = next_without_set();
    EXPECT_EQ(step.kind, Kind::kFinish);
    EXPECT_EQ(step.error, std::nullopt);
  }
  progress_ = {.stage = Stage::kManaging, .claim_error = "unable to adopt"};
  EXPECT_EQ(next_without_set().error, "unable to adopt");
}

TEST_F(ReplicaSetStep, ExpectsDeletesBeforeTheyAreSent) {
  state_.decisions = 6;
  ScaleDown down;
  down.victims = {{"web-1", "u1"}, {"web-0", "u0"}};
  down.decision.victims.resize(2);
  const Step step = delete_pods(std::move(down), progress_, context());
  EXPECT_EQ(step.kind, Kind::kDelete);
  EXPECT_EQ(words(step), (Texts{"DELETE pods/web-1", "DELETE pods/web-0"}));
  EXPECT_EQ(step.calls.at(1).pending.number, 1U);
  EXPECT_EQ(step.calls.at(1).pending.pod_uid, "u0");
  EXPECT_NE(step.calls.at(1).request.body.find(R"("uid":"u0")"), std::string::npos);
  EXPECT_TRUE(state_.expectations.expects_deletion_of("u0"));
  EXPECT_TRUE(progress_.removal.decision.id.starts_with("web-uid-7-"));
  // Once they are answered, only the status is left, whatever the number of pods is now.
  add_pods(9);
  progress_.counts.replicas = 5;
  EXPECT_EQ(next().kind, Kind::kWriteStatus);
}

TEST_F(ReplicaSetStep, TheUidIsLeftOutOnlyToProveThatItIsNeeded) {
  safeguards_.uid_precondition = false;
  ScaleDown down;
  down.victims = {{"web-1", "u1"}};
  const Step step = delete_pods(std::move(down), progress_, context());
  EXPECT_EQ(step.calls.at(0).request.body.find("u1"), std::string::npos);
}

TEST_F(ReplicaSetStep, AStatusThatIsUpToDateIsNotWritten) {
  add_pods(3);
  set_.status_replicas = set_.fully_labeled = set_.ready = set_.available = 3;
  set_.terminating = 0;
  set_.observed_generation = 4;
  EXPECT_EQ(next().kind, Kind::kFinish);
  progress_ = {.may_manage = true};
  set_.ready = 2;
  const Step step = next();
  EXPECT_EQ(words(step), Texts{"PUT replicasets/web/status"});
  EXPECT_EQ(boost::json::parse(step.calls.at(0).request.body).at("kind"), "ReplicaSet");
  EXPECT_EQ(progress_.status.at("readyReplicas"), 3);
}

TEST_F(ReplicaSetStep, AWaitForRanksEndsWithTheScaleDown) {
  for (const int pods : {2, 3}) {
    state_.rank_wait = {.since = now_.mono, .waits = true};
    progress_ = {.may_manage = true};
    pods_.clear();
    add_pods(pods);
    EXPECT_TRUE(next().ends_scale_down);
    EXPECT_FALSE(state_.rank_wait.waits);
  }
  state_.rank_wait = {.since = now_.mono, .waits = true};
  progress_ = {.may_manage = true};
  add_pods(4);
  EXPECT_EQ(next().kind, Kind::kScaleDown);
  EXPECT_TRUE(state_.rank_wait.waits);
}

TEST_F(ReplicaSetStep, ComesAgainForTheNextAvailablePodOrForRanks) {
  const Timestamp soon = later_by(now_.wall, 4 * kSecond);
  struct Case {
    std::int32_t min_ready_seconds;
    std::int32_t available;
    Timestamp next_available;
    Nanoseconds ranks_due_in_ns;  // 0: none
    std::optional<Nanoseconds> after_ns;
  };
  const Case cases[] = {
      {0, 0, soon, 0, std::nullopt},
      {10, 2, soon, 0, std::nullopt},
      {10, 1, soon, 0, 4 * kSecond},
      {10, 1, Timestamp(), 0, 10 * kSecond},
      {3, 1, soon, 0, 3 * kSecond},  // the clock was set back
      {10, 1, soon, 2 * kSecond, 2 * kSecond},
      {10, 1, soon, 9 * kSecond, 4 * kSecond},
      {0, 0, soon, 9 * kSecond, 9 * kSecond},
      {0, 0, soon, -kSecond, 0},
  };
  for (const Case& c : cases) {
    Progress progress;
    progress.counts = {.ready = 2,
                       .available = c.available,
                       .min_ready_seconds = c.min_ready_seconds,
                       .next_available = c.next_available};
    if (c.ranks_due_in_ns != 0) progress.ranks_due = later_by(now_.mono, c.ranks_due_in_ns);
    EXPECT_EQ(requeue_after_ns(progress, now_), c.after_ns)
        << c.min_ready_seconds << " " << c.available << " " << c.ranks_due_in_ns;
  }
}

}  // namespace
}  // namespace ebb::control::replicasets
