#include "control/policy/policy_controller.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/policy/policy_status.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using testing::ControllerScene;
using Names = std::vector<std::string>;

constexpr std::string_view kAnyPicker = R"({"http":{"host":"picker"}})";
constexpr std::string_view kPolicies = "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies";

// A scene is created by a plain function, so shared state must be static.
std::shared_ptr<PolicyReports>& shared_reports() {
  static std::shared_ptr<PolicyReports> reports;
  return reports;
}

PolicyRoles& shared_roles() {
  static PolicyRoles roles;
  return roles;
}

std::unique_ptr<Controller> make_controller(const ControllerContext& context,
                                            Safeguards /*safeguards*/) {
  return make_policy_controller(context, shared_reports(), shared_roles());
}

class PolicyControllerTest : public ::testing::Test {
 protected:
  static Key key(std::string name) { return {.namespace_name = "shop", .name = std::move(name)}; }
  static std::string path(std::string_view name) { return fmt::format("{}/{}", kPolicies, name); }

  void create(std::string_view name, std::string_view picker = kAnyPicker,
              std::string_view target = R"({"kind":"Deployment","name":"web"})") {
    scene_.now.wall = later_by(scene_.now.wall, kSecond);
    scene_.request(model::Method::kPost, std::string(kPolicies),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{}"}},"spec":{{"targetRef":{},"podPicker":{}}}}})",
                               name, target, picker),
                   201);
  }
  // The metadata of a ReplicaSet that `web` of this kind controls.
  static std::string owned_by(std::string_view api_version, std::string_view kind) {
    return fmt::format(R"({{"ownerReferences":[{{"apiVersion":"{}","kind":"{}","name":"web",
                            "uid":"owner-uid","controller":true}}]}})",
                       api_version, kind);
  }
  boost::json::object condition_of(std::string_view policy, std::string_view type) {
    const auto object = scene_.get(path(policy));
    const auto* conditions = schema::array_at(object, {"status", "conditions"});
    if (conditions == nullptr) return {};
    for (const auto& item : *conditions) {
      if (schema::text_at(item.as_object(), {"type"}) == type) return item.as_object();
    }
    return {};
  }
  // `True SettingsValid`, or empty.
  std::string condition(std::string_view policy, std::string_view type) {
    const auto one = condition_of(policy, type);
    if (one.empty()) return {};
    return fmt::format("{} {}", schema::text_at(one, {"status"}), schema::text_at(one, {"reason"}));
  }
  std::string message(std::string_view policy, std::string_view type) {
    const auto one = condition_of(policy, type);
    return std::string(schema::text_at(one, {"message"}));
  }
  void report(Outcome outcome, bool breaker_open = false, std::string problem = {}) {
    shared_reports()->decided(key("mine"),
                              {.time = scene_.now.wall,
                               .replica_set = "web-1",
                               .victims = 3,
                               .outcome = outcome,
                               .id = "d-1",
                               .problem = std::move(problem)},
                              breaker_open);
    scene_.settle();
  }

  ControllerScene scene_ = [] {
    shared_reports() = std::make_shared<PolicyReports>();
    shared_roles() = {};
    return ControllerScene(make_controller);
  }();
};

TEST_F(PolicyControllerTest, ReportsAValidPolicyWhosePickerWasNotCalledYet) {
  create("mine");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ready"), "True SettingsValid");
  EXPECT_EQ(condition("mine", "Conflicting"), "False NoOtherPolicy");
  EXPECT_EQ(condition("mine", "PickerReachable"), "Unknown NotAsked");
  EXPECT_EQ(schema::integer_at(scene_.get(path("mine")), {"status", "observedGeneration"}), 1);
  // An unchanged status is not written again.
  EXPECT_EQ(scene_.history, Names{"PUT downscalepolicies/mine/status"});
}

TEST_F(PolicyControllerTest, CountsWhatAgreedInShadowMode) {
  create("mine");
  scene_.settle();
  const PolicyReports::Shadow before{.decisions = 2, .victims = 5, .agreed = 4};
  shared_reports()->compared(key("mine"), before, 3, 1);
  shared_reports()->compared(key("mine"), {}, 1, 1);
  scene_.settle();
  const auto object = scene_.get(path("mine"));
  EXPECT_EQ(schema::integer_at(object, {"status", "shadow", "decisions"}), 4);
  EXPECT_EQ(schema::integer_at(object, {"status", "shadow", "victims"}), 9);
  EXPECT_EQ(schema::integer_at(object, {"status", "shadow", "agreed"}), 6);
}

TEST_F(PolicyControllerTest, AProcessThatOnlyWatchesDoesNotContendWithOneThatActs) {
  shared_roles().acts = false;
  scene_.restart();
  create("mine");
  report(Outcome::kTimeout);
  EXPECT_EQ(condition("mine", "PickerReachable"), "False Timeout");
  scene_.patch(path("mine") + "/status",
               R"({"status":{"conditions":[{"type":"PickerReachable","status":"True",
                   "reason":"Answered","message":"by another process","observedGeneration":1,
                   "lastTransitionTime":"2026-11-01T12:00:00Z"}]}})");
  scene_.settle();
  EXPECT_EQ(condition("mine", "PickerReachable"), "True Answered");
  report(Outcome::kRefused);
  EXPECT_EQ(condition("mine", "PickerReachable"), "False Refused");
}

TEST_F(PolicyControllerTest, ReportsWhetherItsTargetExists) {
  create("mine");
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "False NoTarget");
  EXPECT_EQ(message("mine", "TargetFound"), "there is no Deployment web in this namespace");
  const std::string deployments = "/apis/apps/v1/namespaces/shop/deployments";
  scene_.request(model::Method::kPost, deployments,
                 R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
                     "spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{
                     "labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})",
                 201);
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "True TargetExists");
  scene_.request(model::Method::kDelete, deployments + "/web", "", 200);
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "False NoTarget");
}

TEST_F(PolicyControllerTest, AKindThatItDoesNotKnowExistsIfItOwnsAReplicaSet) {
  create("mine", kAnyPicker,
         R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","name":"web"})");
  scene_.create_set("other", 1, "{}", owned_by("example.com/v1", "Rollout"));
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "False NoTarget");
  EXPECT_EQ(message("mine", "TargetFound"),
            "no ReplicaSet in this namespace is owned by Rollout/web (argoproj.io) now");
  scene_.create_set("web-1", 1, "{}", owned_by("argoproj.io/v1beta1", "Rollout"));
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "True TargetExists");
  create("younger", kAnyPicker, R"({"apiVersion":"argoproj.io/v2","kind":"Rollout","name":"web"})");
  scene_.settle();
  EXPECT_EQ(condition("younger", "Conflicting"), "True OlderPolicy");
  scene_.request(model::Method::kDelete, "/apis/apps/v1/namespaces/shop/replicasets/web-1", "",
                 200);
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "False NoTarget");
}

TEST_F(PolicyControllerTest, AKnownKindOfTheWrongGroupIsNotFoundAndInNoConflict) {
  create("mine");
  create("old", kAnyPicker,
         R"({"apiVersion":"extensions/v1beta1","kind":"Deployment","name":"web"})");
  create("core", kAnyPicker, R"({"apiVersion":"v1","kind":"ReplicaSet","name":"web-1"})");
  scene_.create_set("web-1", 1, "{}", owned_by("apps/v1", "Deployment"));
  scene_.settle();
  EXPECT_EQ(condition("mine", "TargetFound"), "True TargetExists");
  EXPECT_EQ(condition("old", "TargetFound"), "False NoTarget");
  EXPECT_EQ(condition("old", "Conflicting"), "False NoOtherPolicy");
  EXPECT_EQ(message("old", "TargetFound"),
            "no ReplicaSet in this namespace is owned by Deployment/web (extensions) now; did you "
            "mean apiVersion apps/v1?");
  EXPECT_EQ(message("core", "TargetFound"),
            "no ReplicaSet in this namespace is owned by ReplicaSet/web-1 (core) now; did you mean "
            "apiVersion apps/v1?");
}

TEST_F(PolicyControllerTest, ReportsThePickersOutcomeAndTheLastDecision) {
  create("mine");
  scene_.settle();
  report(Outcome::kAnswered);
  EXPECT_EQ(condition("mine", "PickerReachable"), "True Answered");
  EXPECT_EQ(boost::json::serialize(scene_.get(path("mine"))["status"].as_object()["lastDecision"]),
            fmt::format(R"({{"time":"{}","replicaSet":"web-1","victims":3,"outcome":"answered",)"
                        R"("id":"d-1"}})",
                        "2026-11-01T12:00:06Z"));
  report(Outcome::kStatusCode);
  EXPECT_EQ(condition("mine", "PickerReachable"), "False StatusCode");
  report(Outcome::kTimeout, true);
  EXPECT_EQ(condition("mine", "PickerReachable"), "False BreakerOpen");
  // The picker has not been called, so nothing is known about it.
  report(Outcome::kNotNeeded, false);
  EXPECT_EQ(condition("mine", "PickerReachable"), "False BreakerOpen");
}

TEST_F(PolicyControllerTest, KeepsALaterDecisionOfAnotherReplica) {
  create("mine");
  scene_.settle();
  const Timestamp start = scene_.now.wall;
  const auto decide = [&](std::string_view id, Nanoseconds later) {
    shared_reports()->decided(key("mine"),
                              {.time = later_by(start, later),
                               .replica_set = "web-1",
                               .victims = 1,
                               .outcome = Outcome::kAnswered,
                               .id = std::string(id)},
                              false);
    scene_.settle();
    return std::string(schema::text_at(scene_.get(path("mine")), {"status", "lastDecision", "id"}));
  };
  EXPECT_EQ(decide("u-9-19c0", 0), "u-9-19c0");
  EXPECT_EQ(decide("u-10-19c0", 0), "u-10-19c0");
  EXPECT_EQ(decide("u-11-19bf", 0), "u-10-19c0") << "made a moment earlier";
  EXPECT_EQ(decide("u-12-19c1", -kSecond), "u-10-19c0") << "made a second earlier";
  EXPECT_EQ(decide("u-1-19c1", kSecond), "u-1-19c1");
}

TEST_F(PolicyControllerTest, ReportsTheDurationOfItsWorkLikeEveryQueue) {
  create("mine");
  scene_.settle();
  for (const Gauge gauge :
       {Gauge::kQueueDepth, Gauge::kUnfinishedWorkSeconds, Gauge::kLongestWorkSeconds}) {
    EXPECT_TRUE(scene_.gauges.contains({gauge, "policy"})) << static_cast<int>(gauge);
  }
}

TEST_F(PolicyControllerTest, SaysWhatIsWrongWithASecretOfThePicker) {
  create("mine");
  scene_.settle();
  report(Outcome::kBadSettings, false, "Secret token, key header: has a line break in it");
  EXPECT_EQ(condition("mine", "PickerReachable"), "False BadSettings");
  EXPECT_EQ(message("mine", "PickerReachable"),
            "bad settings: Secret token, key header: has a line break in it");
  // An old error does not apply to a new picker.
  report(Outcome::kTimeout);
  EXPECT_EQ(message("mine", "PickerReachable"), "timeout: no answer within timeoutSeconds");
  report(Outcome::kBadSettings);
  EXPECT_EQ(message("mine", "PickerReachable"), "bad settings: its settings are invalid");
  report(Outcome::kBadSettings, true, "Secret token, key header: has a line break in it");
  EXPECT_EQ(message("mine", "PickerReachable"),
            "breaker open: it failed repeatedly and is not called for a while");
}

TEST_F(PolicyControllerTest, TheYoungerOfTwoIsInConflictUntilTheOlderGoes) {
  create("z-older");
  create("mine");
  scene_.settle();
  EXPECT_EQ(condition("z-older", "Conflicting"), "False NoOtherPolicy");
  EXPECT_EQ(condition("mine", "Conflicting"), "True OlderPolicy");
  scene_.request(model::Method::kDelete, path("z-older"), "{}", 200);
  scene_.settle();
  EXPECT_EQ(condition("mine", "Conflicting"), "False NoOtherPolicy");
}

TEST_F(PolicyControllerTest, WritesAtMostOnceInAFewSeconds) {
  create("mine");
  scene_.settle_but_for_timers();
  for (int i = 0; i < 10; ++i) {
    shared_reports()->decided(key("mine"), {.time = scene_.now.wall, .replica_set = "w", .id = "d"},
                              false);
    scene_.settle_but_for_timers();
    scene_.pass_time(kSecond / 4);
  }
  EXPECT_EQ(scene_.history.size(), 1U);
  scene_.pass_time(5 * kSecond);
  scene_.settle();
  EXPECT_EQ(scene_.history.size(), 2U);
}

// Writes to policies must not use up the rate limit that scale-downs need.
TEST_F(PolicyControllerTest, ATenantThatRecreatesItsPolicyInALoopCausesFewWrites) {
  create("mine");
  scene_.settle_but_for_timers();
  ASSERT_EQ(scene_.history.size(), 1U);
  for (int i = 0; i < 40; ++i) {
    scene_.request(model::Method::kDelete, path("mine"), "{}", 200);
    scene_.settle_but_for_timers();
    create("mine");
    scene_.pass_time(kSecond / 4);
    scene_.settle_but_for_timers();
  }
  EXPECT_LE(scene_.history.size(), 4U) << "in ten seconds";
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ready"), "True SettingsValid");
}

TEST_F(PolicyControllerTest, ATenantThatChangesItsPolicyDuringEachWriteCausesFewWrites) {
  create("mine");
  std::size_t sent = 0;
  for (int i = 0; i < 40; ++i) {
    scene_.see_all();
    scene_.run();
    scene_.patch(path("mine"), fmt::format(R"({{"metadata":{{"labels":{{"n":"{}"}}}}}})", i));
    sent += scene_.count_calls("PUT");
    while (scene_.count_calls("PUT") > 0) scene_.carry_out("PUT");
    scene_.pass_time(kSecond / 4);
  }
  EXPECT_LE(sent, 11U) << "in ten seconds";
  EXPECT_GE(sent, 2U);
}

TEST_F(PolicyControllerTest, HasFewWritesUnderWayAndSendsThemAfterAllOthers) {
  for (int i = 0; i < 100; ++i) create("p" + std::to_string(i));
  scene_.see_all();
  scene_.run();
  EXPECT_EQ(scene_.calls().size(), 32U);
  EXPECT_EQ(scene_.call("PUT").kind, Call::Kind::kPatientWrite);
  scene_.settle();
  EXPECT_EQ(condition("p99", "Ready"), "True SettingsValid");
}

TEST_F(PolicyControllerTest, LeavesWhatOthersWroteAloneAndTriesAgainAfterAConflict) {
  create("mine");
  scene_.see_all();
  scene_.run();
  scene_.patch(path("mine") + "/status",
               R"({"status":{"conditions":[{"type":"Ranked","status":"True","reason":"Done",
                   "message":"","lastTransitionTime":"2026-11-01T00:00:00Z"}]}})");
  scene_.carry_out("PUT");
  EXPECT_EQ(condition("mine", "Ready"), "");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ranked"), "True Done");
  EXPECT_EQ(condition("mine", "Ready"), "True SettingsValid");
}

TEST_F(PolicyControllerTest, ANewProcessKeepsWhatIsKnownOfThePicker) {
  create("mine");
  scene_.settle();
  report(Outcome::kAnswered);
  shared_reports() = std::make_shared<PolicyReports>();
  scene_.restart();
  const std::size_t before = scene_.history.size();
  scene_.settle();
  EXPECT_EQ(condition("mine", "PickerReachable"), "True Answered");
  EXPECT_EQ(scene_.history.size(), before);
  // But not if the picker is another one now.
  scene_.patch(path("mine"), R"({"spec":{"podPicker":{"http":{"host":"other"}}}})");
  scene_.settle();
  EXPECT_EQ(condition("mine", "PickerReachable"), "Unknown NotAsked");
  scene_.patch(path("mine"), R"({"spec":{"podPicker":null,"ranking":{"preset":"empty-nodes"}}})");
  scene_.settle();
  EXPECT_EQ(condition("mine", "PickerReachable"), "");
}

TEST_F(PolicyControllerTest, NamesThePlaceThatMakesNoSense) {
  create("mine");
  std::string text = boost::json::serialize(scene_.get(path("mine")));
  const auto at = text.find(R"("host":"picker")");
  text.replace(at, 15, R"("host":"pic ker")");
  ASSERT_TRUE(scene_.store->upsert(Resource::kPolicies, Store::Format::kJson, text).has_value());
  const Policy& policy = *scene_.store->policy("shop", "mine");
  EXPECT_NE(inspect_policy(policy, *scene_.store).problem.find("spec.podPicker.http.host"),
            std::string::npos);
}

}  // namespace
}  // namespace ebb::control
