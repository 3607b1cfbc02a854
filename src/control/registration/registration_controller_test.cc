#include "control/registration/registration_controller.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/control/controller_scene.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using model::Method;
using testing::ControllerScene;

const std::string kPath =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/ebb-webhook";

// The API server of the scene refuses matchConditions, as `ebb up` does.
class RegistrationControllerTest : public ::testing::Test {
 protected:
  static std::unique_ptr<Controller> make(const ControllerContext& context, Safeguards) {
    return make_registration_controller(
        context,
        {.url = "https://127.0.0.1:9443", .excluded_namespaces = {"kube-system", "ebb-system"}},
        {});
  }

  void put_policy(std::string_view in, std::string_view name, std::string_view mode = "Active") {
    const auto stored = scene_.store->upsert(
        Resource::kPolicies, Store::Format::kJson,
        fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy","metadata":)"
                    R"({{"name":"{0}","namespace":"{1}","uid":"u-{0}","resourceVersion":"{2}",)"
                    R"("generation":{2}}},"spec":{{"mode":"{3}","targetRef":{{"apiVersion":)"
                    R"("apps/v1","kind":"Deployment","name":"web"}}}}}})",
                    name, in, ++revision_, mode));
    ASSERT_TRUE(stored.has_value()) << stored.error().message;
  }
  void remove_policy(std::string_view in, std::string_view name) {
    ASSERT_TRUE(scene_.store->remove(
        Resource::kPolicies, Store::Format::kJson,
        fmt::format(R"({{"metadata":{{"name":"{0}","namespace":"{1}","uid":"u-{0}",)"
                    R"("resourceVersion":"{2}"}}}})",
                    name, in, ++revision_)));
  }
  void give_certificates(const std::string& pem = "certificates") {
    scene_.controller().set_ca_bundle(pem, scene_.now);
  }
  // Long enough for the random wait after a change, and shorter than the periodic check.
  void let_it_register() {
    for (int i = 0; i < 4; ++i) {
      scene_.run();
      while (!scene_.calls().empty()) scene_.carry_out();
      scene_.pass_time(2 * kSecond);
      while (!scene_.calls().empty()) scene_.carry_out();
    }
  }
  [[nodiscard]] json::array webhooks() {
    const auto object = scene_.get(kPath);
    const json::array* const list = schema::array_at(object, {"webhooks"});
    return list == nullptr ? json::array() : *list;
  }
  [[nodiscard]] std::string namespaces() {
    const json::array list = webhooks();
    if (list.empty()) return "none";
    return json::serialize(list.at(0).at_pointer("/namespaceSelector/matchExpressions/0/values"));
  }
  [[nodiscard]] std::string revision() {
    return std::string(schema::text_at(scene_.get(kPath), {"metadata", "resourceVersion"}));
  }

  std::uint64_t revision_ = 1'000'000;
  ControllerScene scene_{make};
};

TEST_F(RegistrationControllerTest, WaitsForACertificate) {
  put_policy("shop", "web");
  let_it_register();
  EXPECT_TRUE(scene_.calls().empty());
  EXPECT_EQ(schema::text_at(scene_.get(kPath), {"reason"}), "NotFound");
}

TEST_F(RegistrationControllerTest, CreatesTheObjectAndLeavesOutConditionsThatAreRefused) {
  put_policy("shop", "web");
  give_certificates();
  let_it_register();
  const json::array list = webhooks();
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list.at(0).at("name"), "scale-down.webhook.ebb.dev");
  EXPECT_EQ(list.at(0).at_pointer("/clientConfig/url"), "https://127.0.0.1:9443/scale-down");
  EXPECT_EQ(list.at(0).at("failurePolicy"), "Ignore");
  EXPECT_EQ(list.at(0).at("timeoutSeconds"), 3);
  EXPECT_EQ(list.at(1).at("name"), "fence.webhook.ebb.dev");
  EXPECT_FALSE(list.at(0).as_object().contains("matchConditions"));
  EXPECT_EQ(namespaces(), R"(["shop"])");
}

TEST_F(RegistrationControllerTest, SelectsTheNamespacesWithActivePolicies) {
  give_certificates();
  let_it_register();
  EXPECT_EQ(namespaces(), "none");
  put_policy("shop", "web");
  put_policy("shop", "other");
  put_policy("bank", "web");
  put_policy("kube-system", "web");
  put_policy("ebb-system", "web");
  put_policy("watched", "web", "Shadow");
  let_it_register();
  EXPECT_EQ(namespaces(), R"(["bank","shop"])");
  remove_policy("shop", "web");
  put_policy("bank", "web", "Shadow");
  let_it_register();
  EXPECT_EQ(namespaces(), R"(["shop"])");
  remove_policy("shop", "other");
  let_it_register();
  EXPECT_EQ(namespaces(), "none");
}

TEST_F(RegistrationControllerTest, WritesOnlyWhatDiffers) {
  put_policy("shop", "web");
  give_certificates();
  let_it_register();
  const std::string written = revision();
  put_policy("shop", "second");
  give_certificates("certificates");
  scene_.pass_time(10 * kMinute);
  EXPECT_TRUE(scene_.count_calls("GET") > 0);
  let_it_register();
  EXPECT_EQ(revision(), written);
  give_certificates("others");
  let_it_register();
  EXPECT_NE(revision(), written);
}

TEST_F(RegistrationControllerTest, KeepsMatchExpressionsOfOthersAndMendsItsOwn) {
  put_policy("shop", "web");
  give_certificates();
  let_it_register();
  auto object = scene_.get(kPath);
  for (json::value& webhook : object["webhooks"].as_array()) {
    json::array& expressions = webhook.at_pointer("/namespaceSelector/matchExpressions").as_array();
    expressions.insert(expressions.begin(), json::parse(R"({"key":"kubernetes.azure.com/managedby",
                                                  "operator":"NotIn","values":["aks"]})"));
    webhook.as_object()["failurePolicy"] = "Fail";
  }
  scene_.request(Method::kPut, kPath, json::serialize(object), 200);
  scene_.pass_time(10 * kMinute);
  let_it_register();
  const json::array list = webhooks();
  ASSERT_EQ(list.size(), 2U);
  for (const json::value& webhook : list) {
    EXPECT_EQ(webhook.at("failurePolicy"), "Ignore");
    const json::array& expressions =
        webhook.at_pointer("/namespaceSelector/matchExpressions").as_array();
    ASSERT_EQ(expressions.size(), 2U);
    EXPECT_EQ(expressions.at(0).at("key"), "kubernetes.azure.com/managedby");
    EXPECT_EQ(expressions.at(1).at("key"), "kubernetes.io/metadata.name");
  }
  const std::string written = revision();
  scene_.pass_time(10 * kMinute);
  let_it_register();
  EXPECT_EQ(revision(), written);
}

TEST_F(RegistrationControllerTest, RetriesAfterAConflictAndARefusal) {
  put_policy("shop", "web");
  give_certificates();
  scene_.run();
  scene_.pass_time(2 * kSecond);
  scene_.refuse("GET", 403, "no rights");
  for (int i = 0; i < 8; ++i) {
    let_it_register();
  }
  EXPECT_EQ(namespaces(), R"(["shop"])");
}

}  // namespace
}  // namespace ebb::control
