#include "control/policy_controller.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/agenda.h"
#include "control/policy_status.h"
#include "schema/json.h"
#include "support/controller_scene.h"
#include "support/pods.h"

namespace ebb::control {
namespace {

using picker::Outcome;
using testing::ControllerScene;
using testing::kSecond;
using Names = std::vector<std::string>;

constexpr std::string_view kPolicies = "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies";

// A scene is made with a plain function, so what they share has to lie here.
std::shared_ptr<PolicyReports>& shared_reports() {
  static std::shared_ptr<PolicyReports> reports;
  return reports;
}

std::unique_ptr<Controller> make_controller(ControllerContext context, Safeguards /*safeguards*/) {
  return make_policy_controller(context, shared_reports());
}

class PolicyControllerTest : public ::testing::Test {
 protected:
  static Key key(std::string name) { return {.namespace_name = "shop", .name = std::move(name)}; }
  static std::string path(std::string_view name) { return fmt::format("{}/{}", kPolicies, name); }

  void create(std::string_view name, std::string_view picker = R"({"http":{"host":"picker"}})") {
    scene_.now.wall = later_by(scene_.now.wall, kSecond);
    scene_.request(model::Method::kPost, std::string(kPolicies),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{}"}},"spec":{{"targetRef":{{"kind":"Deployment",
                         "name":"web"}},"podPicker":{}}}}})",
                               name, picker),
                   201);
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
    return ControllerScene(make_controller);
  }();
};

TEST_F(PolicyControllerTest, TellsThatAPolicyMakesSenseAndNobodyWasAskedYet) {
  create("mine");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ready"), "True SettingsValid");
  EXPECT_EQ(condition("mine", "Conflicting"), "False NoOtherPolicy");
  EXPECT_EQ(condition("mine", "PickerReachable"), "Unknown NotAsked");
  EXPECT_EQ(schema::integer_at(scene_.get(path("mine")), {"status", "observedGeneration"}), 1);
  // What is written already is not written again.
  EXPECT_EQ(scene_.history, Names{"PUT downscalepolicies/mine/status"});
}

TEST_F(PolicyControllerTest, TellsWhetherItsTargetExists) {
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

TEST_F(PolicyControllerTest, TellsHowThePickerAnswersAndWhatWasDecided) {
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
  // Nothing was asked, so nothing is known.
  report(Outcome::kNotNeeded, false);
  EXPECT_EQ(condition("mine", "PickerReachable"), "False BreakerOpen");
}

TEST_F(PolicyControllerTest, TellsHowLongItsWorkTakesAsEveryQueueDoes) {
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
  // What was wrong then is not wrong with what comes next.
  report(Outcome::kTimeout);
  EXPECT_EQ(message("mine", "PickerReachable"), "timeout: no answer within timeoutSeconds");
  report(Outcome::kBadSettings);
  EXPECT_EQ(message("mine", "PickerReachable"), "bad settings: its settings make no sense");
  report(Outcome::kBadSettings, true, "Secret token, key header: has a line break in it");
  EXPECT_EQ(message("mine", "PickerReachable"),
            "breaker open: it has failed again and again, and is not asked for a while");
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
  EXPECT_NE(look_at_policy(policy, *scene_.store).problem.find("spec.podPicker.http.host"),
            std::string::npos);
}

}  // namespace
}  // namespace ebb::control
