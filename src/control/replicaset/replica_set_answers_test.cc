#include "control/replicaset/replica_set_answers.h"

#include "base/deadline_queue.h"
#include "support/control/replica_set_step_scene.h"

namespace ebb::control::replicasets {
namespace {

using testing::kSecond;
using Kind = Step::Kind;
using Owner = Progress::Owner;
using What = PendingCall::What;

constexpr auto kUnknown = Answer::Outcome::kUnknown;
constexpr auto kNotSent = Answer::Outcome::kNotSent;

constexpr const char* kDenial =
    R"({"message":"admission webhook \"w.example\" denied the request: no"})";

class ReplicaSetAnswers : public testing::ReplicaSetStepScene {
 protected:
  static std::string object(std::string_view uid, std::string_view more = "") {
    return fmt::format(R"({{"metadata":{{"name":"web-x","uid":"{}","resourceVersion":"7"{}}}}})",
                       uid, more);
  }
  // A delete of one victim that is being sent.
  PendingCall begin_delete() {
    ScaleDown down;
    down.victims = {{"web-1", "u1"}};
    down.decision.victims.resize(1);
    progress_ = {};
    return delete_pods(std::move(down), progress_, context()).calls.at(0).pending;
  }
  const Decision::Victim& victim() const { return progress_.removal.decision.victims.at(0); }
};

TEST_F(ReplicaSetAnswers, ALiveReadDecidesWhetherItMayAdopt) {
  struct Case {
    Answer answer;
    const char* error;  // null: it may
  };
  const Case cases[] = {
      {answer(200, object("web-uid")), nullptr},
      {answer(200, object("another")), "ReplicaSet default/web with uid web-uid is gone"},
      {answer(200, "{}"), "ReplicaSet default/web with uid web-uid is gone"},
      {answer(200, object("web-uid", R"(,"deletionTimestamp":"2026-11-01T12:00:00Z")")),
       "default/web has just been deleted"},
      {answer(404, R"({"message":"not found"})"), "not found"},
      {unanswered(kUnknown), "no answer"},
  };
  for (const Case& c : cases) {
    progress_ = {};
    const Report report = owner_read(c.answer, progress_, context());
    EXPECT_EQ(progress_.owner, c.error == nullptr ? Owner::kMayAdopt : Owner::kMustNot);
    EXPECT_EQ(report.count.has_value(), c.error != nullptr);
    const std::string error = progress_.claim_error.value_or("");
    EXPECT_NE(error.find(c.error == nullptr ? "" : c.error), std::string::npos) << error;
  }
}

TEST_F(ReplicaSetAnswers, AFailedPatchIsAnErrorUnlessItNoLongerMatters) {
  struct Case {
    Answer answer;
    bool withdrawn;
    bool adoption_fails;
    bool release_fails;
  };
  const Case cases[] = {
      {answer(200, object("u1")), false, false, false}, {answer(404), false, false, false},
      {answer(404, kDenial), false, true, true},        {answer(422), false, true, false},
      {answer(422, kDenial), false, true, true},        {answer(409), false, true, true},
      {unanswered(kUnknown), false, true, true},        {unanswered(kNotSent), false, true, true},
      {unanswered(kNotSent), true, false, false},
  };
  for (const Case& c : cases) {
    for (const What what : {What::kAdopt, What::kRelease}) {
      progress_ = {};
      const PendingCall pending{
          .what = what, .pod = "web-1", .pod_uid = "u1", .withdrawn = c.withdrawn};
      const Report report = pod_patched(pending, c.answer, progress_, context());
      const bool adopts = what == What::kAdopt;
      EXPECT_EQ(progress_.claim_error.has_value(), adopts ? c.adoption_fails : c.release_fails)
          << c.answer.response.code << c.answer.response.body.str();
      EXPECT_EQ(progress_.adopted.contains("u1"), adopts && c.answer.succeeded());
      EXPECT_EQ(report.count.has_value(), c.answer.succeeded());
    }
  }
}

TEST_F(ReplicaSetAnswers, TheFirstFailedPatchIsReported) {
  const PendingCall pending{.what = What::kAdopt, .pod = "web-1"};
  (void)pod_patched(pending, answer(409, R"({"message":"first"})"), progress_, context());
  (void)pod_patched(pending, answer(409, R"({"message":"second"})"), progress_, context());
  EXPECT_NE(progress_.claim_error->find("first"), std::string::npos);
}

TEST_F(ReplicaSetAnswers, ACreateLeavesWhatIsStillUncertain) {
  struct Case {
    const char* what;
    Answer answer;
    bool withdrawn;
    const char* reason;  // of the event; empty: none
    std::optional<Count> count;
    bool goes_on;   // the next batch may start
    bool expected;  // the pod exists or may exist
  };
  constexpr const char* kTerminating =
      R"({"message":"no","details":{"causes":[{"reason":"NamespaceTerminating"}]}})";
  const Case cases[] = {
      {"created", answer(201, object("u9")), false, "SuccessfulCreate", {}, true, true},
      {"no object", answer(201, "{}"), false, "FailedCreate", Count::kCreatesUnknown, false, true},
      {"lost", unanswered(kUnknown), false, "FailedCreate", Count::kCreatesUnknown, false, true},
      {"server error", answer(500), false, "FailedCreate", Count::kCreatesUnknown, false, true},
      {"denied", answer(500, kDenial), false, "FailedCreate", Count::kCreatesRefused, false, false},
      {"quota", answer(403), false, "FailedCreate", Count::kCreatesRefused, false, false},
      {"not sent", unanswered(kNotSent), false, "FailedCreate", Count::kCreatesRefused, false,
       false},
      {"withdrawn", unanswered(kNotSent), true, "", {}, false, false},
      {"namespace terminates", answer(403, kTerminating), false, "", {}, true, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    set_.replicas = 2;
    state_ = {};
    state_.uid = uid_;
    progress_ = {.may_manage = true};
    ASSERT_EQ(next().kind, Kind::kCreate);
    const Report report = pod_created({.what = What::kCreate, .withdrawn = c.withdrawn}, c.answer,
                                      progress_, context());
    EXPECT_EQ(report.event ? report.event->reason : "", c.reason);
    EXPECT_EQ(report.count, c.count);
    EXPECT_EQ(progress_.failure.has_value(), std::string_view(c.reason) == "FailedCreate");
    EXPECT_EQ(state_.expectations.unseen_creations(), c.expected ? 1U : 0U);
    EXPECT_EQ(next().kind == Kind::kCreate, c.goes_on);
  }
}

TEST_F(ReplicaSetAnswers, ARefusedPodIsLoggedOnceAMinute) {
  const Answer refused = answer(403, R"({"message":"exceeded quota"})");
  const auto logged = [&] {
    return pod_created({.what = What::kCreate}, refused, progress_, context()).refusal;
  };
  EXPECT_EQ(logged(), "exceeded quota");
  now_.mono = later_by(now_.mono, 59 * kSecond);
  EXPECT_EQ(logged(), std::nullopt);
  now_.mono = later_by(now_.mono, kSecond);
  EXPECT_TRUE(logged());
  // Nothing is logged about a ReplicaSet that is gone.
  state_ = {};
  EXPECT_EQ(logged(), std::nullopt);
}

TEST_F(ReplicaSetAnswers, ADeleteLeavesWhatIsStillUncertain) {
  struct Case {
    const char* what;
    Answer answer;
    bool withdrawn;
    const char* outcome;
    bool expected;  // it may happen or have happened
    bool fails;
  };
  const Case cases[] = {
      {"granted", answer(200), false, "deleted", true, false},
      {"gone", answer(404), false, "gone already", true, false},
      {"lost", unanswered(kUnknown), false, "unknown, will be repeated", true, false},
      {"forbidden", answer(403, R"({"message":"no"})"), false, "refused: no", false, true},
      {"denied", answer(404, kDenial), false, "refused: admission webhook", false, true},
      {"withdrawn", unanswered(kNotSent), true, "not wanted any more", false, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    PendingCall pending = begin_delete();
    pending.withdrawn = c.withdrawn;
    const Report report = pod_deleted(pending, c.answer, progress_, context());
    EXPECT_TRUE(victim().outcome.starts_with(c.outcome)) << victim().outcome;
    EXPECT_EQ(victim().spared, !c.expected);
    EXPECT_EQ(state_.expectations.expects_deletion_of("u1"), c.expected);
    EXPECT_EQ(progress_.failure.has_value(), c.fails);
    EXPECT_EQ(report.event && report.event->warning, c.fails);
  }
}

TEST_F(ReplicaSetAnswers, WithoutRepetitionAnUnknownDeleteCountsAsRefused) {
  safeguards_.repeats_unknown_deletes = false;
  (void)pod_deleted(begin_delete(), unanswered(kUnknown), progress_, context());
  EXPECT_TRUE(victim().spared);
  EXPECT_FALSE(state_.expectations.expects_deletion_of("u1"));
}

TEST_F(ReplicaSetAnswers, ARefusedStatusIsWrittenOnceMoreOnTopOfALiveRead) {
  progress_.status = {{"replicas", 5}};
  const Step read = status_written(answer(409), progress_, context());
  EXPECT_EQ(words(read), Texts{"GET replicasets/web"});
  const Step again = status_read(answer(200, object("web-uid")), progress_, context());
  EXPECT_EQ(words(again), Texts{"PUT replicasets/web/status"});
  EXPECT_NE(again.calls.at(0).request.body.find(R"("status":{"replicas":5})"), std::string::npos);
  const Step end = status_written(answer(409, R"({"message":"again"})"), progress_, context());
  EXPECT_EQ(end.kind, Kind::kFinish);
  EXPECT_EQ(end.error, "again");
}

TEST_F(ReplicaSetAnswers, AStatusOfAnotherReplicaSetIsNotReplaced) {
  struct Case {
    Answer answer;
    bool gone;
    bool error;
  };
  const Case cases[] = {
      {answer(404), true, false},
      {answer(200, object("another")), true, false},
      {answer(200, "garbled"), false, true},
      {answer(500), false, true},
      {unanswered(kUnknown), false, true},
  };
  for (const Case& c : cases) {
    state_.gone = false;
    const Step step = status_read(c.answer, progress_, context());
    EXPECT_EQ(step.kind, Kind::kFinish);
    EXPECT_EQ(state_.gone, c.gone);
    EXPECT_EQ(step.error.has_value(), c.error);
  }
}

TEST_F(ReplicaSetAnswers, OwnStatusWritesAreRemembered) {
  EXPECT_EQ(status_written(unanswered(kUnknown), progress_, context()).kind, Kind::kReadForStatus);
  EXPECT_TRUE(state_.status_unknown);
  EXPECT_EQ(status_written(answer(200, object("web-uid")), progress_, context()).error,
            std::nullopt);
  EXPECT_FALSE(state_.status_unknown);
  EXPECT_EQ(state_.status_written, 7U);
  // The status is written, but a pod could not be created: the sync is retried.
  progress_.failure = {.reason = "FailedCreate", .message = "quota"};
  EXPECT_EQ(status_written(answer(200, object("web-uid")), progress_, context()).error, "quota");
  // Its state has been reset meanwhile.
  progress_ = {};
  state_ = {};
  EXPECT_TRUE(status_written(answer(409), progress_, context()).error);
}

}  // namespace
}  // namespace ebb::control::replicasets
