// The rules detect violations, on hand-made picker requests and decisions.
#include "sim/rules/picker_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "picker/pick_request.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/world/world.h"
#include "support/sim/by_hand.h"

namespace ebb::sim {
namespace {

using picker::Outcome;

// A ReplicaSet that wants two of its five pods, which all serve, and a process that sees it.
struct Scene {
  Scene() {
    world.request("user",
                  model::create_request(model::collection_path(replica_sets(), kNamespace),
                                        replica_set_object({.name = "web", .replicas = 2})));
    uid = world.truth.sets().begin()->first;
    for (int i = 0; i < 5; ++i) create(fmt::format("web-{}", i));
    world.run_for(10 * kSecond);  // until they are ready
    see();
  }

  void create(std::string_view name) {
    boost::json::object pod = pod_object(name, "web");
    schema::ensure_object(pod, {"metadata"})["ownerReferences"] =
        boost::json::array{{{"apiVersion", "apps/v1"},
                            {"kind", "ReplicaSet"},
                            {"name", "web"},
                            {"uid", uid},
                            {"controller", true}}};
    world.request("user", model::create_request(model::collection_path(pods(), kNamespace), pod));
  }
  void see() { testing::list_into(world, store); }

  picker::Call call(std::vector<std::string> candidates, std::size_t requested = 3) {
    auto asked_by = std::make_shared<picker::Settings>();
    asked_by->host = "alder";
    asked_by->max_retries = 1;
    picker::Call made;
    made.id = ++calls;
    made.settings = asked_by;
    made.body = std::make_shared<const std::string>(
        to_json(picker::PickRequest{.requested = requested, .candidates = std::move(candidates)}));
    made.idempotency_key = "key-1";
    made.deadline_ns = kSecond;
    return made;
  }
  picker::Call call() { return call({"web-0", "web-1", "web-2", "web-3", "web-4"}); }
  void ask(const picker::Call& request) { rules.asked(view(), request); }
  void reply(const picker::Reply& reply) { rules.replied(process, calls, reply); }
  [[nodiscard]] PickerRules::View view() const { return {process, store, settings}; }

  // Without an outcome: there is no picker.
  void decide(const std::vector<std::string>& names, std::optional<Outcome> outcome,
              Nanoseconds duration = 0) {
    rules.deciding(view(), world.time.now());
    control::Decision decision;
    decision.uid = uid;
    decision.time = world.time.now();
    decision.victims = testing::victims(world, names);
    if (outcome) {
      decision.picker = control::Decision::Picker();
      decision.picker->outcome = *outcome;
      decision.picker->attempts = static_cast<int>(calls);
      decision.picker->requested = 3;
      decision.picker->duration_ns = duration;
      decision.picker->idempotency_key = "key-1";
    }
    rules.decided(decision);
    rules.check_decisions();
  }
  [[nodiscard]] std::string broken() const {
    return world.violated() ? world.invariants.violation()->rule : "";
  }

  World world{{.seed = 1}};
  PickerRules& rules = world.picker_rules;
  control::Store store;
  control::ProcessSettings settings;
  std::string uid;
  picker::CallId calls = 0;
  Invariants::ProcessId process = world.invariants.new_process();
};

picker::Reply answered(const std::vector<std::string>& chosen) {
  return {.outcome = Outcome::kAnswered, .answer = {.chosen = chosen, .tied = {}}};
}

// The rest of the order decides among chosen pods, so exactly one sequence is right.
TEST(PickerRules, AllowWhatTheAnswerSaysInTheOneRightOrder) {
  std::vector<std::string> chosen = {"web-1", "web-3", "web-4"};
  int allowed = 0;
  do {
    Scene scene;
    scene.ask(scene.call());
    scene.reply(answered({"web-4", "web-1", "web-3"}));
    scene.decide(chosen, Outcome::kAnswered);
    if (scene.broken().empty()) ++allowed;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  EXPECT_EQ(allowed, 1);
}

TEST(PickerRules, DemandThatTheChosenGoFirst) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply(answered({"web-4"}));
  scene.decide({"web-0", "web-1", "web-2"}, Outcome::kAnswered);
  EXPECT_EQ(scene.broken(), "I7");
}

TEST(PickerRules, DemandThatAsManyGoAsWithoutAPicker) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply(answered({"web-4"}));
  scene.decide({"web-4"}, Outcome::kAnswered);
  EXPECT_EQ(scene.broken(), "I3");
}

TEST(PickerRules, HoldARecordToHowOftenAndHowLongThePickerWasAsked) {
  std::vector<std::string> chosen = {"web-1", "web-3", "web-4"};
  for (const Nanoseconds duration : {kSecond, 2 * kSecond}) {
    std::set<std::string> broken;
    do {
      Scene scene;
      scene.ask(scene.call());
      scene.reply(answered(chosen));
      scene.decide(chosen, Outcome::kAnswered, duration);
      broken.insert(scene.broken());
    } while (std::next_permutation(chosen.begin(), chosen.end()));
    EXPECT_TRUE(broken.contains(duration > kSecond ? "I5" : ""));
  }
}

TEST(PickerRules, RejectAnAnswerThatWasNeverGiven) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply({.outcome = Outcome::kTimeout});
  scene.decide({"web-4", "web-1", "web-3"}, Outcome::kAnswered);
  EXPECT_EQ(scene.broken(), "I3");
}

TEST(PickerRules, NoticeADecisionAboutNothing) {
  Scene scene;
  control::Decision decision;
  decision.uid = "other";
  scene.rules.decided(decision);
  scene.rules.check_decisions();
  EXPECT_EQ(scene.broken(), "I3");
}

TEST(PickerRules, AskAboutTheServingPodsOfOneReplicaSetOnly) {
  const std::vector<std::vector<std::string>> bad = {{"web-0", "web-1", "web-2", "web-3"},
                                                     {"web-0", "web-1", "web-2", "web-3", "x"},
                                                     {"a", "b", "c", "d", "e"}};
  for (const auto& candidates : bad) {
    Scene scene;
    scene.ask(scene.call(candidates));
    EXPECT_EQ(scene.broken(), "I3");
  }
  Scene scene;
  scene.ask(scene.call({"web-0", "web-1", "web-2", "web-3", "web-4"}, 2));
  EXPECT_EQ(scene.broken(), "I3");
}

TEST(PickerRules, AskNoMoreOftenThanTheSettingsAllow) {
  Scene scene;
  const picker::Reply refused{.outcome = Outcome::kRefused, .repeatable = true};
  for (int i = 0; i < 2; ++i) {
    scene.ask(scene.call());
    scene.reply(refused);
    EXPECT_EQ(scene.broken(), "");
  }
  scene.ask(scene.call());
  EXPECT_EQ(scene.broken(), "picker");
}

TEST(PickerRules, NotAskAgainWhereThatCannotHelp) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply({.outcome = Outcome::kOversize});
  scene.ask(scene.call());
  EXPECT_EQ(scene.broken(), "picker");
}

TEST(PickerRules, BePatientIfThePickerAsksForThat) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply({.outcome = Outcome::kStatusCode,
               .code = 429,
               .repeatable = true,
               .retry_after_ns = kSecond / 2});
  picker::Call again = scene.call();
  scene.ask(again);
  EXPECT_EQ(scene.broken(), "picker");
}

TEST(PickerRules, AllowOneRequestAtATime) {
  Scene scene;
  scene.ask(scene.call());
  picker::Call other = scene.call();
  other.idempotency_key = "key-2";
  scene.ask(other);
  EXPECT_EQ(scene.broken(), "picker");
}

TEST(PickerRules, NotAskSomethingElseByTheSameKey) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply({.outcome = Outcome::kRefused, .repeatable = true});
  scene.ask(scene.call({"web-0", "web-1", "web-2", "web-3"}));
  EXPECT_EQ(scene.broken(), "picker");
}

TEST(PickerRules, EndEachRequestWhenItsTimeIsUp) {
  Scene open;
  open.ask(open.call());
  open.world.run_for(2 * kSecond);
  EXPECT_EQ(open.broken(), "I5");
  Scene withdrawn;
  withdrawn.ask(withdrawn.call());
  withdrawn.rules.withdrawn(withdrawn.process, 1);
  withdrawn.world.run_for(2 * kSecond);
  EXPECT_EQ(withdrawn.broken(), "");
  Scene paused;
  paused.ask(paused.call());
  paused.rules.held_up(paused.process);
  paused.world.run_for(2 * kSecond);
  EXPECT_EQ(paused.broken(), "");
}

TEST(PickerRules, NotAskForMoreTimeThanThereIs) {
  Scene scene;
  scene.ask(scene.call());
  scene.reply({.outcome = Outcome::kRefused, .repeatable = true});
  scene.world.run_for(kSecond / 2);
  scene.ask(scene.call());
  EXPECT_EQ(scene.broken(), "I5");
}

TEST(PickerRules, FindTheSecretsOfPickersWhereTheyDoNotBelong) {
  Scene body;
  picker::Call call = body.call();
  call.headers = {{"authorization", std::string(kPickerSecret)}};
  body.ask(call);
  EXPECT_EQ(body.broken(), "");
  body.world.probe.log(control::Severity::kInfo, 4, fmt::format("it is {}", kPickerSecretEncoded));
  EXPECT_EQ(body.broken(), "I6");
  Scene key;
  call = key.call();
  call.idempotency_key = kPickerSecret;
  key.ask(call);
  EXPECT_EQ(key.broken(), "I6");
}

TEST(LatencyRule, AllowsTheBudgetOfAPickerAndNoMore) {
  for (const bool asked : {false, true}) {
    Scene scene;
    scene.world.latency_rule.begin();
    scene.world.latency_rule.check(scene.view());
    if (asked) {
      scene.ask(scene.call());
      scene.rules.withdrawn(scene.process, 1);
    }
    scene.world.run_for(3 * kSecond / 2);
    scene.world.latency_rule.check(scene.view());
    EXPECT_EQ(scene.broken(), asked ? "" : "I5");
    scene.world.run_for(kSecond);
    scene.world.latency_rule.check(scene.view());
    EXPECT_EQ(scene.broken(), "I5");
  }
}

}  // namespace
}  // namespace ebb::sim
