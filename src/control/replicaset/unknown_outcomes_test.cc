#include "control/replicaset/unknown_outcomes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "support/control/small_store.h"

namespace ebb::control {
namespace {

using Texts = std::vector<std::string>;
using What = PendingCall::What;

struct Recorded : CallSink, Telemetry {
  CallId send(Call::Kind /*kind*/, model::ApiRequest request) override {
    sent.push_back(std::move(request));
    return sent.size();
  }
  picker::CallId ask(picker::Call /*call*/) override { return 0; }
  void withdraw(picker::CallId /*id*/) override {}
  void record_event(Event event, Now /*now*/) override { events.push_back(event.reason); }
  void settled(const LateOutcomes& late_outcomes) override {
    for (const LateOutcomes::Pod& pod : late_outcomes.pods) outcomes.push_back(pod.outcome);
  }

  std::vector<model::ApiRequest> sent;
  Texts events;
  Texts outcomes;
};

// One delete of unknown outcome, of pod `a` of ReplicaSet `web`, which has two pods and wants one.
class UnknownOutcomesTest : public ::testing::Test {
 protected:
  UnknownOutcomesTest() {
    store_.put_set("web", {});
    store_.put_pod("a");
    store_.put_pod("b");
    ReplicaSetState& state = states_[key_];
    state.uid = "u-web";
    state.expectations.expect_deletions({{"a", "u-a"}}, now_);
    state.expectations.deletion_sent("u-a");
    state.expectations.deletion_unknown("u-a", now_);
    Decision decision;
    decision.victims.resize(1);
    decision.victims[0].name = "a";
    decision.victims[0].uid = "u-a";
    decision.victims[0].outcome = kUnknownOutcome;
    state.unsettled.begin(decision);
    unknown_outcomes_.schedule(key_);
  }

  // Does what is due next.
  void run_next() {
    now_.mono = unknown_outcomes_.wake_at();
    unknown_outcomes_.run(now_);
  }
  const model::ApiRequest& last() const { return sink_.sent.back(); }
  PendingCall pending() { return *pending_calls_.find(sink_.sent.size()); }
  void answer(int code, std::string body = "{}") {
    Answer made;
    made.response.code = code;
    made.response.body = Bytes(std::move(body));
    answer(made);
  }
  void answer(const Answer& made) {
    const auto answered = pending_calls_.answered(sink_.sent.size());
    ASSERT_TRUE(answered);
    unknown_outcomes_.answered(*answered, made, now_);
  }
  // A live list of these pods.
  void answer_list(const Texts& names) {
    std::string items;
    for (const std::string& name : names) {
      items += fmt::format(
          R"({0}{{"metadata":{{"name":"{1}","namespace":"shop","uid":"u-{1}",)"
          R"("resourceVersion":"5","ownerReferences":[{{"kind":"ReplicaSet","name":"web",)"
          R"("uid":"u-web","controller":true}}]}}}})",
          items.empty() ? "" : ",", name);
    }
    answer(200, fmt::format(R"({{"metadata":{{"resourceVersion":"9"}},"items":[{}]}})", items));
  }
  Expectations& expectations() { return states_[key_].expectations; }

  const Key key_{.namespace_name = "shop", .name = "web"};
  testing::SmallStore store_;
  Recorded sink_;
  ControllerContext context_{.store = store_, .sink = sink_, .telemetry = sink_, .gates = {}};
  Safeguards safeguards_;
  PendingCalls pending_calls_{sink_, 100};
  WorkQueue queue_{"test", sink_};
  std::map<Key, ReplicaSetState> states_;
  UnknownOutcomes unknown_outcomes_{{context_, safeguards_, pending_calls_, queue_, states_}};
  Now now_{.wall = Timestamp::from_seconds(1'790'000'000), .mono = Timestamp::from_seconds(100)};
};

TEST_F(UnknownOutcomesTest, ADeleteIsRepeatedForTheSameUid) {
  run_next();
  ASSERT_EQ(sink_.sent.size(), 1U);
  EXPECT_EQ(last().method, model::Method::kDelete);
  EXPECT_EQ(last().path, "/api/v1/namespaces/shop/pods/a");
  EXPECT_NE(last().body.find(R"("uid":"u-a")"), std::string::npos);
  EXPECT_TRUE(unknown_outcomes_.still_wants_repeat(pending()));
  answer(200);
  EXPECT_EQ(sink_.events, Texts{"SuccessfulDelete"});
  EXPECT_EQ(sink_.outcomes, Texts{"deleted"});
  EXPECT_TRUE(expectations().expects_deletion_of("u-a"));  // until the cache shows it
}

TEST_F(UnknownOutcomesTest, EachAnswerToARepetitionSettlesOrRepeatsIt) {
  struct Case {
    Answer::Outcome outcome;
    int code;
    const char* settled;  // empty: its outcome is still unknown
    bool queued;          // another pod may be chosen
  };
  const Case cases[] = {
      {Answer::Outcome::kAnswered, 404, "gone already", false},
      {Answer::Outcome::kAnswered, 500, "", false},
      {Answer::Outcome::kUnknown, 200, "", false},
      {Answer::Outcome::kNotSent, 200, "", false},
      {Answer::Outcome::kAnswered, 403, "refused: ", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.code);
    const ReplicaSetState before = states_[key_];
    const Now then = now_;
    // The first attempt can no longer happen by then, so a refusal is final.
    now_.mono = later_by(now_.mono, 6 * kSecond);
    unknown_outcomes_.run(now_);
    Answer made{.outcome = c.outcome};
    made.response.code = c.code;
    answer(made);
    const std::string settled = sink_.outcomes.empty() ? "" : sink_.outcomes.at(0);
    EXPECT_TRUE(settled.starts_with(c.settled)) << settled;
    EXPECT_EQ(settled.empty(), *c.settled == 0);
    EXPECT_EQ(!queue_.wake_at().is_zero(), c.queued);
    sink_.outcomes.clear();
    states_[key_] = before;
    now_ = then;
    unknown_outcomes_.schedule(key_);
  }
}

// I2: it may have happened already, and so might the repetition.
TEST_F(UnknownOutcomesTest, NothingIsRepeatedThatTheSurplusDoesNotCover) {
  store_.put_set("web", {.replicas = 2});
  run_next();
  EXPECT_TRUE(sink_.sent.empty());
  run_next();  // once the first attempt has happened or never will
  ASSERT_EQ(sink_.sent.size(), 1U);
  EXPECT_EQ(last().method, model::Method::kGet);
  answer_list({"a", "b"});
  EXPECT_TRUE(expectations().satisfied());
  EXPECT_FALSE(queue_.wake_at().is_zero());
}

TEST_F(UnknownOutcomesTest, ARepetitionIsWithdrawnIfMorePodsAreWantedMeanwhile) {
  run_next();
  EXPECT_TRUE(unknown_outcomes_.still_wants_repeat(pending()));
  store_.put_set("web", {.replicas = 2});
  EXPECT_FALSE(unknown_outcomes_.still_wants_repeat(pending()));
  store_.put_set("web", {.replicas = 1});
  EXPECT_TRUE(unknown_outcomes_.still_wants_repeat(pending()));
  // A pod that the ReplicaSet no longer selects must not be deleted by it.
  store_.put_pod("a", {.app = "other"});
  EXPECT_FALSE(unknown_outcomes_.still_wants_repeat(pending()));
}

TEST_F(UnknownOutcomesTest, AFailedListIsRepeated) {
  store_.put_set("web", {.replicas = 2});
  run_next();
  run_next();
  answer(500);
  EXPECT_FALSE(expectations().satisfied());
  EXPECT_TRUE(queue_.wake_at().is_zero());
  run_next();
  ASSERT_EQ(sink_.sent.size(), 2U);
  EXPECT_EQ(last().method, model::Method::kGet);
  answer_list({"b"});
  EXPECT_FALSE(queue_.wake_at().is_zero());
}

TEST_F(UnknownOutcomesTest, AnswersForAPredecessorOfTheSameNameAreIgnored) {
  run_next();
  states_[key_] = ReplicaSetState();
  states_[key_].uid = "u-successor";
  answer(403);
  EXPECT_TRUE(sink_.events.empty());
  EXPECT_TRUE(queue_.wake_at().is_zero());
}

TEST_F(UnknownOutcomesTest, OutcomesThatAreNeverLearntAreReportedAtTheEnd) {
  unknown_outcomes_.report_late_outcomes(states_[key_], false, now_);
  EXPECT_EQ(sink_.outcomes, Texts());
  unknown_outcomes_.report_late_outcomes(states_[key_], true, now_);
  EXPECT_EQ(sink_.outcomes, Texts{"unknown"});
  unknown_outcomes_.report_late_outcomes(states_[key_], true, now_);
  EXPECT_EQ(sink_.outcomes.size(), 1U);
}

}  // namespace
}  // namespace ebb::control
