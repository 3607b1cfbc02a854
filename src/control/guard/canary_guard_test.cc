#include "control/guard/canary_guard.h"

#include <deque>
#include <functional>
#include <string>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "model/api/requests.h"
#include "schema/core/json.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

constexpr std::string_view kPath = "/apis/apps/v1/namespaces/kube-system/replicasets/ebb";

SoleControllerOptions options_for_test() {
  SoleControllerOptions options;
  options.canary_name = "ebb";
  return options;
}

// A guard on an API server. Calls take a tenth of a second, unless a test says otherwise.
class CanaryGuardTest : public ::testing::Test {
 protected:
  void begin(SoleControllerOptions options = options_for_test(),
             GuardedKind guarded = GuardedKind::kReplicaSets) {
    guard_.emplace(guarded, std::move(options), true, telemetry_);
    guard_->set_manager_stopped(false);
    calls_.clear();
  }
  void lead() { guard_->begin_leading(now()); }

  [[nodiscard]] Now now() const {
    return {.wall = served_.now, .mono = later_by(served_.now, -1'000'000 * kSecond)};
  }
  [[nodiscard]] Timestamp mono() const { return now().mono; }
  [[nodiscard]] bool may_write() const { return guard_->may_write(mono()); }
  [[nodiscard]] GuardStatus status() const { return guard_->status(now()); }

  void send() {
    while (auto wanted = guard_->take_wanted(now())) calls_.push_back(std::move(*wanted));
  }
  void answer_all() {
    while (!calls_.empty()) {
      const CanaryGuard::Wanted call = std::move(calls_.front());
      calls_.pop_front();
      const auto instead = instead_of_server ? instead_of_server(call.request) : std::nullopt;
      guard_->answered(call.ticket, instead ? *instead : testing::carry_out(served_, call.request),
                       now());
    }
  }
  void pass(Nanoseconds ns) { served_.now = later_by(served_.now, ns); }
  // Takes over as soon as it may.
  void run_for(Nanoseconds ns) {
    for (Nanoseconds passed = 0; passed < ns; passed += kSecond / 10) {
      send();
      pass(kSecond / 10);
      answer_all();
      if (!guard_->acting() && !guard_->wait_over_at().is_zero()) guard_->take_over(now());
      guard_->report(now());
    }
  }
  // Seconds until it acts, and more than `most` if it does not by then.
  [[nodiscard]] std::int64_t seconds_until_acting(std::int64_t most = 1000) {
    std::int64_t seconds = 0;
    while (!guard_->acting() && seconds <= most) {
      run_for(kSecond);
      ++seconds;
    }
    return seconds;
  }

  [[nodiscard]] std::int64_t number(std::initializer_list<std::string_view> path) {
    const auto response = testing::carry_out(served_, model::get_request(std::string(kPath)));
    const auto document = boost::json::parse(response.response.body.str());
    return schema::integer_at(document.as_object(), path).value_or(0);
  }
  [[nodiscard]] std::int64_t generation() { return number({"metadata", "generation"}); }
  // Acts as a stock controller does.
  void acknowledge() {
    const auto answer = testing::carry_out(
        served_, model::merge_patch_request(
                     std::string(kPath) + "/status",
                     {{"status", {{"replicas", 0}, {"observedGeneration", generation()}}}}));
    ASSERT_EQ(answer.response.code, 200) << answer.response.body.str();
  }

  struct Telling : Telemetry {
    void guard_changed(const GuardStatus& status) override { states.push_back(status.state); }
    std::vector<GuardState> states;
  };

  testing::ApiServerScene served_;
  Telling telemetry_;
  std::optional<CanaryGuard> guard_;
  std::deque<CanaryGuard::Wanted> calls_;
  std::function<std::optional<Answer>(const model::ApiRequest&)> instead_of_server;
};

TEST_F(CanaryGuardTest, MakesTheCanaryAndActsAfterAMinuteOfSilence) {
  begin();
  lead();
  run_for(59 * kSecond);
  EXPECT_FALSE(may_write());
  EXPECT_EQ(status().state, GuardState::kProbing);
  EXPECT_NE(status().reason.find("no other controller of replicasets"), std::string::npos);
  EXPECT_EQ(generation(), 1);
  run_for(3 * kSecond);
  EXPECT_TRUE(may_write());
  EXPECT_TRUE(status().acting);
  EXPECT_EQ(status().reason, "");
  EXPECT_EQ(telemetry_.states, (std::vector{GuardState::kProbing, GuardState::kActing}));
}

TEST_F(CanaryGuardTest, MakesADeploymentThatIsPausedAndHasNoPods) {
  begin(options_for_test(), GuardedKind::kDeployments);
  lead();
  run_for(kSecond);
  const auto made = testing::carry_out(
      served_, model::get_request("/apis/apps/v1/namespaces/kube-system/deployments/ebb"));
  ASSERT_EQ(made.response.code, 200);
  const auto document = boost::json::parse(made.response.body.str());
  EXPECT_EQ(schema::text_at(document.as_object(), {"metadata", "labels", kCanaryLabel}),
            "deployment");
  EXPECT_TRUE(schema::is_true_at(document.as_object(), {"spec", "paused"}));
  EXPECT_EQ(schema::integer_at(document.as_object(), {"spec", "replicas"}), 0);
  EXPECT_TRUE(guard_->canary()->armed());
}

TEST_F(CanaryGuardTest, StopsWithinFiveSecondsOfAnAcknowledgementAndRestartsItsWait) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  acknowledge();
  run_for(2 * kSecond);
  EXPECT_FALSE(may_write());
  EXPECT_EQ(status().state, GuardState::kBlocked);
  EXPECT_NE(status().remedy.find("-replicaset-controller"), std::string::npos);
  EXPECT_EQ(generation(), 1) << "armed again only after a while";
  run_for(30 * kSecond);
  EXPECT_EQ(generation(), 2);
  run_for(55 * kSecond);
  EXPECT_FALSE(may_write()) << "a full wait since it was armed";
  run_for(5 * kSecond);
  EXPECT_TRUE(may_write());
}

TEST_F(CanaryGuardTest, IsBlockedWhileAnotherControllerAcknowledges) {
  begin();
  lead();
  for (int i = 0; i < 300; ++i) {
    run_for(kSecond);
    if (guard_->canary() && guard_->canary()->armed()) acknowledge();
    EXPECT_FALSE(may_write());
  }
  EXPECT_EQ(status().state, GuardState::kBlocked);
  EXPECT_LE(generation(), 12) << "it does not arm without end";
}

TEST_F(CanaryGuardTest, AnArmingThatIsAcknowledgedBeforeItIsSeenIsRepeated) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  acknowledge();
  instead_of_server = [this](const model::ApiRequest& request) -> std::optional<Answer> {
    if (request.method != model::Method::kPatch) return std::nullopt;
    (void)testing::carry_out(served_, request);
    acknowledge();
    return Answer{.outcome = Answer::Outcome::kUnknown};
  };
  run_for(40 * kSecond);
  EXPECT_EQ(status().state, GuardState::kBlocked);
  instead_of_server = {};
  EXPECT_LE(seconds_until_acting(), 30 + 62);
}

TEST_F(CanaryGuardTest, PermissionRunsOutWithoutAnswersAndComesBackWithoutAWait) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  instead_of_server = [](const model::ApiRequest&) {
    return Answer{.outcome = Answer::Outcome::kUnknown};
  };
  run_for(5 * kSecond);
  EXPECT_FALSE(may_write());
  EXPECT_TRUE(status().acting) << "a short gap is not worth telling";
  run_for(10 * kSecond);
  EXPECT_FALSE(status().acting);
  instead_of_server = {};
  run_for(2 * kSecond);
  EXPECT_TRUE(may_write()) << "nobody acknowledged the canary all the time";
}

TEST_F(CanaryGuardTest, PermissionCountsFromWhenAReadWasSent) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  run_for(kSecond);
  // All reads in flight are answered by the state as it is now, but late.
  pass(10 * kSecond);
  send();
  pass(3 * kSecond);
  answer_all();
  EXPECT_TRUE(may_write());
  pass(kSecond);
  EXPECT_FALSE(may_write()) << "four seconds after it was sent";
}

TEST_F(CanaryGuardTest, AnOlderAnswerDoesNotTakeBackAnAcknowledgement) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  const Canary before = *guard_->canary();
  acknowledge();
  run_for(2 * kSecond);
  ASSERT_FALSE(may_write());
  guard_->saw(before, mono(), now());
  EXPECT_FALSE(may_write());
  EXPECT_EQ(status().state, GuardState::kBlocked);
}

TEST_F(CanaryGuardTest, EveryNewLeaderArmsTheCanaryItself) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  begin();  // another process, which has seen nothing
  lead();
  run_for(50 * kSecond);
  EXPECT_EQ(generation(), 2);
  EXPECT_FALSE(may_write());
  EXPECT_LE(seconds_until_acting(), 15);
}

TEST_F(CanaryGuardTest, ArmsACanaryThatAnotherClientHasEdited) {
  begin();
  lead();
  run_for(5 * kSecond);
  // The value that would arm it next is there already.
  (void)testing::carry_out(served_, model::merge_patch_request(
                                        std::string(kPath), {{"spec", {{"minReadySeconds", 2}}}}));
  ASSERT_EQ(generation(), 2);
  begin();  // a process that has to arm it
  lead();
  EXPECT_LE(seconds_until_acting(100), 62);
}

// As with a webhook that sets the field by a rule of its own.
TEST_F(CanaryGuardTest, AnArmingWithoutEffectIsNotRepeatedAtOnce) {
  begin();
  lead();
  run_for(5 * kSecond);
  begin();
  lead();
  int armings = 0;
  instead_of_server = [&](const model::ApiRequest& request) -> std::optional<Answer> {
    if (request.method != model::Method::kPatch) return std::nullopt;
    ++armings;
    return testing::carry_out(served_, model::get_request(std::string(kPath)));
  };
  run_for(20 * kSecond);
  EXPECT_FALSE(guard_->acting());
  EXPECT_GE(armings, 10);
  EXPECT_LE(armings, 20);
}

TEST_F(CanaryGuardTest, AStandbyThatHasWatchedForLongEnoughNeedsNoWait) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  begin();
  run_for(80 * kSecond);
  EXPECT_EQ(status().state, GuardState::kStandby);
  EXPECT_FALSE(may_write());
  EXPECT_EQ(generation(), 1) << "a standby writes nothing";
  lead();
  run_for(2 * kSecond);
  EXPECT_TRUE(may_write());
  EXPECT_EQ(generation(), 1);
}

TEST_F(CanaryGuardTest, AStandbySeesAnAcknowledgementThatWasArmedOverMeanwhile) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  begin();
  run_for(80 * kSecond);
  ASSERT_EQ(status().state, GuardState::kStandby);
  acknowledge();
  (void)testing::carry_out(served_, model::merge_patch_request(
                                        std::string(kPath), {{"spec", {{"minReadySeconds", 77}}}}));
  lead();
  run_for(3 * kSecond);
  EXPECT_FALSE(may_write());
}

TEST_F(CanaryGuardTest, WaitsLongerWhereAManagerLooksLikeRestarting) {
  begin();
  guard_->set_manager_stopped(true);
  lead();
  const std::int64_t seconds = seconds_until_acting();
  EXPECT_GE(seconds, 300);
  EXPECT_LE(seconds, 303);
}

TEST_F(CanaryGuardTest, ForgedSignsDelayItByABoundedTime) {
  begin();
  lead();
  std::int64_t seconds = 0;
  for (; !guard_->acting() && seconds < 1000; ++seconds) {
    guard_->saw_foreign_write(now());
    run_for(kSecond);
  }
  EXPECT_GE(seconds, 60);
  EXPECT_LE(seconds, 60 + 300 + 3);
}

TEST_F(CanaryGuardTest, ASignWhileItActsProbesTheCanaryNowAndThenAndStopsNothing) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  for (int i = 0; i < 300; ++i) {
    guard_->saw_foreign_write(now());
    run_for(kSecond);
    EXPECT_TRUE(may_write());
  }
  EXPECT_GE(generation(), 9);
  EXPECT_LE(generation(), 13);
}

TEST_F(CanaryGuardTest, TheYoungerOfTwoDeploymentsWaitsLonger) {
  begin();
  guard_->set_younger(true);
  lead();
  const std::int64_t seconds = seconds_until_acting();
  EXPECT_GE(seconds, 90);
  EXPECT_LE(seconds, 93);
}

TEST_F(CanaryGuardTest, ACanaryThatWasDeletedIsMadeAgainAndWaitedFor) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  (void)testing::carry_out(served_, model::delete_request(std::string(kPath), {}));
  run_for(2 * kSecond);
  EXPECT_FALSE(may_write());
  EXPECT_EQ(generation(), 1);
  EXPECT_GE(seconds_until_acting(), 55);
}

TEST_F(CanaryGuardTest, WithoutTheRightItSaysWhatIsMissing) {
  begin();
  lead();
  instead_of_server = [](const model::ApiRequest&) { return testing::answer_of(403); };
  run_for(4 * kSecond);
  EXPECT_FALSE(guard_->forbidden()) << "rights may come a moment later";
  run_for(4 * kSecond);
  EXPECT_TRUE(guard_->forbidden());
  EXPECT_EQ(status().reason,
            "cannot get the canary ReplicaSet kube-system/ebb: the API server answered 403");
  EXPECT_EQ(status().remedy,
            "grant ebb the verb get on replicasets.apps named ebb in namespace kube-system (it "
            "needs get, create and patch; deploy/controller.yaml has a Role), or start ebb with "
            "--assume-sole-controller if no other controller runs");
}

// The remedy names the call that was refused, not all that the guard ever sends.
TEST_F(CanaryGuardTest, NamesTheVerbThatIsMissing) {
  const std::pair<model::Method, std::string_view> cases[] = {
      {model::Method::kPost, "grant ebb the verb create on replicasets.apps in namespace"},
      {model::Method::kPatch,
       "grant ebb the verb patch on replicasets.apps named ebb in namespace"},
  };
  for (const auto& [method, remedy] : cases) {
    instead_of_server = {};
    begin();
    lead();
    if (method == model::Method::kPatch) {
      run_for(kSecond);  // leaves a canary to its successor
      begin();
      lead();
    }
    instead_of_server = [refused = method](const model::ApiRequest& request) {
      return request.method == refused ? std::optional(testing::answer_of(403)) : std::nullopt;
    };
    run_for(10 * kSecond);
    ASSERT_TRUE(guard_->forbidden());
    EXPECT_TRUE(status().remedy.starts_with(remedy)) << status().remedy;
  }
}

TEST_F(CanaryGuardTest, ARefusalThatIsNotAboutRightsDoesNotAskForRights) {
  begin();
  lead();
  instead_of_server = [](const model::ApiRequest& request) -> std::optional<Answer> {
    if (request.method == model::Method::kGet) return std::nullopt;
    Answer answer = testing::answer_of(403);
    answer.response.body = Bytes(std::string(
        R"({"kind":"Status","reason":"Forbidden","message":"replicasets.apps \"ebb\" is forbidden: )"
        R"(exceeded quota: none"})"));
    return answer;
  };
  run_for(10 * kSecond);
  ASSERT_TRUE(guard_->forbidden());
  EXPECT_NE(status().reason.find("exceeded quota"), std::string::npos) << status().reason;
  EXPECT_TRUE(status().remedy.starts_with("allow ebb to create ReplicaSet kube-system/ebb;"))
      << status().remedy;
}

TEST_F(CanaryGuardTest, AMissingRightToWriteIsNoticedThoughItMayRead) {
  begin();
  lead();
  instead_of_server = [](const model::ApiRequest& request) -> std::optional<Answer> {
    if (request.method == model::Method::kGet) return std::nullopt;
    return testing::answer_of(403);
  };
  run_for(10 * kSecond);
  EXPECT_TRUE(guard_->forbidden());
}

TEST_F(CanaryGuardTest, ARightThatIsTakenAwayLaterStopsWritesAndNotTheProcess) {
  begin();
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  instead_of_server = [](const model::ApiRequest&) { return testing::answer_of(403); };
  run_for(60 * kSecond);
  EXPECT_FALSE(may_write());
  EXPECT_FALSE(guard_->forbidden());
  EXPECT_TRUE(status().remedy.starts_with("grant ebb the verb get on replicasets.apps named"))
      << status().remedy;
  instead_of_server = {};
  run_for(2 * kSecond);
  EXPECT_TRUE(may_write());
  EXPECT_EQ(status().remedy, "");
}

TEST_F(CanaryGuardTest, DeletesACanaryOfItsOwnWhenItStops) {
  SoleControllerOptions options = options_for_test();
  options.delete_on_stop = true;
  begin(options);
  lead();
  ASSERT_LE(seconds_until_acting(), 62);
  answer_all();
  guard_->stop();
  EXPECT_FALSE(guard_->stopped());
  run_for(kSecond);
  EXPECT_TRUE(guard_->stopped());
  EXPECT_EQ(served_.get(kPath).code, 404);
}

}  // namespace
}  // namespace ebb::control
