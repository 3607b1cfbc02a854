// The condition Ranked in the status of a policy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/policy/policy_controller.h"
#include "schema/core/json.h"
#include "support/control/controller_scene.h"
#include "support/objects/pods.h"

namespace ebb::control {
namespace {

using testing::ControllerScene;

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

class PolicyRankedTest : public ::testing::Test {
 protected:
  static Key key(std::string name) { return {.namespace_name = "shop", .name = std::move(name)}; }
  static std::string path(std::string_view name) { return fmt::format("{}/{}", kPolicies, name); }
  void create(std::string_view name, std::string_view target_kind = "Deployment",
              std::string_view target = "web") {
    scene_.now.wall = later_by(scene_.now.wall, kSecond);
    scene_.request(model::Method::kPost, std::string(kPolicies),
                   fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",
                         "metadata":{{"name":"{}"}},"spec":{{"targetRef":{{"kind":"{}",
                         "name":"{}"}},"ranking":{{"preset":"keep-zones-balanced"}}}}}})",
                               name, target_kind, target),
                   201);
  }
  // `True RanksPublished: ...`, or empty.
  std::string condition(std::string_view policy, std::string_view type) {
    const auto object = scene_.get(path(policy));
    const auto* conditions = schema::array_at(object, {"status", "conditions"});
    if (conditions == nullptr) return {};
    for (const auto& item : *conditions) {
      const auto& one = item.as_object();
      if (schema::text_at(one, {"type"}) == type) {
        return fmt::format("{} {}: {}", schema::text_at(one, {"status"}),
                           schema::text_at(one, {"reason"}), schema::text_at(one, {"message"}));
      }
    }
    return {};
  }
  void report(PolicyReports::Ranked ranked) {
    shared_reports()->ranked(key("mine"), std::move(ranked));
    scene_.settle();
  }

  ControllerScene scene_ = [] {
    shared_reports() = std::make_shared<PolicyReports>();
    shared_roles() = {.decides = false, .ranks = true};
    return ControllerScene(make_controller);
  }();
};

TEST_F(PolicyRankedTest, ARankerSaysOnlyWhatItRanked) {
  create("mine");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ranked"), "");
  report({.pods = 3, .replica_sets = 1, .changed = testing::kNow});
  EXPECT_EQ(condition("mine", "Ranked"),
            "True RanksPublished: 3 pods of 1 ReplicaSet ranked, last written at "
            "2026-11-01T12:00:00Z");
  EXPECT_EQ(condition("mine", "Ready"), "");
  EXPECT_EQ(condition("mine", "Conflicting"), "");
  report({});
  EXPECT_EQ(condition("mine", "Ranked"),
            "False NoTarget: there is no Deployment web in this namespace");
  report({.pods = 1, .replica_sets = 1, .reason = "ForeignValues", .problem = "why"});
  EXPECT_EQ(condition("mine", "Ranked"), "False ForeignValues: why; 1 pod of 1 ReplicaSet ranked");
}

TEST_F(PolicyRankedTest, SaysWhetherThePublishedCostsAreContested) {
  create("mine");
  report({.pods = 3, .replica_sets = 1});
  EXPECT_EQ(condition("mine", "CostContested"), "");
  report({.reason = "CostContested",
          .problem = "why",
          .contest = {.reason = "WritesPaused", .message = "what to do"}});
  EXPECT_EQ(condition("mine", "CostContested"), "True WritesPaused: what to do");
  EXPECT_TRUE(condition("mine", "Ranked").starts_with("False CostContested: why"));
  report({.pods = 3, .replica_sets = 1});
  EXPECT_EQ(condition("mine", "CostContested"),
            "False NotContested: no other program keeps changing the values that ebb publishes");
  scene_.patch(path("mine"), R"({"spec":{"ranking":null,"podPicker":{"http":{"host":"picker"}}}})");
  scene_.settle();
  EXPECT_EQ(condition("mine", "CostContested"), "");
}

TEST_F(PolicyRankedTest, SaysWhyThereIsNothingToRank) {
  create("mine");
  report({});
  scene_.create_set("web-1", 0, "{}",
                    R"({"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web",
                        "uid":"u","controller":true}]})");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ranked"), "False NoPods: there are no pods to rank");
  create("closer", "ReplicaSet", "web-1");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ranked"),
            "False ReplicaSetPolicy: DownscalePolicy closer is for the ReplicaSet itself, so it "
            "takes precedence");
}

TEST_F(PolicyRankedTest, OnlyTheRankerWritesRankedAndItWritesNothingElse) {
  create("mine");
  report({.pods = 3, .replica_sets = 1});
  shared_roles() = {.decides = true, .ranks = false};
  scene_.restart();
  scene_.settle();
  EXPECT_TRUE(condition("mine", "Ranked").starts_with("True RanksPublished"));
  EXPECT_TRUE(condition("mine", "Ready").starts_with("True SettingsValid"));
  shared_roles() = {.decides = false, .ranks = true};
  scene_.restart();
  scene_.patch(path("mine"), R"({"spec":{"ranking":null,"podPicker":{"http":{"host":"picker"}}}})");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ranked"), "");
  EXPECT_TRUE(condition("mine", "Ready").starts_with("True SettingsValid"));
}

TEST_F(PolicyRankedTest, AProcessThatDecidesAndRanksReportsBoth) {
  shared_roles() = {.decides = true, .ranks = true};
  scene_.restart();
  create("mine");
  scene_.settle();
  shared_reports()->decided(
      key("mine"), {.time = testing::kNow, .replica_set = "web-1", .victims = 2, .id = "d"}, false);
  report({.pods = 3, .replica_sets = 1});
  EXPECT_EQ(condition("mine", "Ranked"), "True RanksPublished: 3 pods of 1 ReplicaSet ranked");
  EXPECT_TRUE(condition("mine", "Ready").starts_with("True SettingsValid"));
  EXPECT_EQ(schema::text_at(scene_.get(path("mine")), {"status", "lastDecision", "id"}), "d");
}

TEST_F(PolicyRankedTest, ANewProcessKeepsWhatIsKnownUntilItHasRanked) {
  create("mine");
  report({.pods = 3, .replica_sets = 1});
  shared_reports() = std::make_shared<PolicyReports>();
  scene_.restart();
  const std::size_t before = scene_.history.size();
  scene_.settle();
  EXPECT_EQ(scene_.history.size(), before);
  EXPECT_TRUE(condition("mine", "Ranked").starts_with("True RanksPublished"));
}

TEST_F(PolicyRankedTest, TheYoungerOfTwoSaysThatTheOlderCounts) {
  create("a-older");
  create("mine");
  scene_.settle();
  EXPECT_EQ(condition("mine", "Ranked"),
            "False OlderPolicy: DownscalePolicy a-older takes precedence");
}

}  // namespace
}  // namespace ebb::control
