#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/cache/store.h"

namespace ebb::control {
namespace {

using Names = std::vector<std::string>;

std::string policy_text(std::string_view name, int revision, std::string_view target,
                        std::string_view api_version = "apps/v1") {
  return fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"shop","uid":"u-{0}","resourceVersion":"{1}",)"
      R"("managedFields":[]}},"spec":{{"targetRef":{{"apiVersion":"{3}","kind":"Deployment",)"
      R"("name":"{2}"}},"podPicker":{{}}}}}})",
      name, revision, target, api_version);
}

// So that the policy that counts is found at once, however many a tenant makes.
TEST(StorePolicies, GivesTheOldestPolicyOfATargetFirst) {
  Store store;
  const auto put = [&](std::string_view name, int revision, int second) {
    const std::string text = fmt::format(
        R"({{"metadata":{{"name":"{0}","namespace":"shop","uid":"u-{0}","resourceVersion":"{1}",)"
        R"("creationTimestamp":"2026-11-01T00:00:{2:02}Z"}},"spec":{{"targetRef":{{)"
        R"("kind":"Deployment","name":"web"}}}}}})",
        name, revision, second);
    EXPECT_TRUE(store.upsert(Resource::kPolicies, Store::Format::kJson, text).has_value());
  };
  const auto names = [&] {
    Names found;
    for (const Policy* policy : store.policies_for("shop", {"apps", "Deployment", "web"})) {
      found.emplace_back(policy->name.view());
    }
    return found;
  };
  put("young", 1, 30);
  put("old", 2, 10);
  put("twin-b", 3, 20);
  put("twin-a", 4, 20);
  EXPECT_EQ(names(), (Names{"old", "twin-a", "twin-b", "young"}));
  put("twin-b", 5, 20);
  put("old", 6, 10);
  EXPECT_EQ(names(), (Names{"old", "twin-a", "twin-b", "young"}));
}

TEST(StorePolicies, FindsPoliciesByTheirTarget) {
  Store store;
  const auto put = [&](const std::string& text) {
    EXPECT_TRUE(store.upsert(Resource::kPolicies, Store::Format::kJson, text).has_value());
  };
  const auto names_for = [&](std::string_view target, std::string_view group = "apps") {
    Names names;
    for (const Policy* policy : store.policies_for("shop", {group, "Deployment", target})) {
      names.emplace_back(policy->name.view());
    }
    return names;
  };
  put(policy_text("a", 1, "web"));
  put(policy_text("b", 2, "web"));
  put(policy_text("c", 3, "db"));
  EXPECT_EQ(names_for("web"), (Names{"a", "b"}));
  EXPECT_TRUE(store.policies_for("shop", {"apps", "ReplicaSet", "web"}).empty());
  EXPECT_TRUE(store.policies_for("other", {"apps", "Deployment", "web"}).empty());
  put(policy_text("d", 3, "web", "example.com/v1"));
  EXPECT_EQ(names_for("web"), (Names{"a", "b"}));
  EXPECT_EQ(names_for("web", "example.com"), Names{"d"});
  EXPECT_EQ(names_for("web", ""), Names());
  put(policy_text("a", 4, "db"));
  EXPECT_EQ(names_for("web"), Names{"b"});
  EXPECT_EQ(names_for("db"), (Names{"a", "c"}));
  EXPECT_EQ(store.policy("shop", "a")->resource_version, "4");
  EXPECT_TRUE(
      store.policy("shop", "a")
          ->json.starts_with(R"({"kind":"DownscalePolicy","apiVersion":"ebb.dev/v1alpha1",)"));
  EXPECT_EQ(store.policy("shop", "a")->json.find("managedFields"), std::string::npos);
  EXPECT_FALSE(store.upsert(Resource::kPolicies, Store::Format::kProtobuf, "k8s").has_value());
}

}  // namespace
}  // namespace ebb::control
