// Which requests match a webhook, and the webhook's address.
#include "apiserver/admission/webhooks.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/admission/webhook_endpoint.h"
#include "schema/core/json.h"
#include "support/apiserver/webhook_scene.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using namespace ebb::testing;

const schema::Kind& kind_of(std::string_view plural) {
  for (const schema::Kind& kind : schema::kinds()) {
    if (kind.plural == plural) return kind;
  }
  ADD_FAILURE() << plural;
  return schema::kinds().front();
}

struct RuleCase {
  Webhook::Rule rule;
  std::string_view operation;
  std::string_view resource;
  std::string_view subresource;
  bool expected;
};

Webhook::Rule rule(std::vector<std::string> resources, std::string scope = "*") {
  return {.operations = {"*"},
          .groups = {"*"},
          .versions = {"*"},
          .resources = std::move(resources),
          .scope = std::move(scope)};
}

TEST(Webhooks, ConcernWhatTheirRulesName) {
  Webhook::Rule creations = rule({"pods"});
  creations.operations = {"CREATE", "UPDATE"};
  Webhook::Rule of_apps = rule({"*"});
  of_apps.groups = {"apps"};
  Webhook::Rule of_core = rule({"*"});
  of_core.groups = {""};
  Webhook::Rule other_version = rule({"pods"});
  other_version.versions = {"v2"};
  const RuleCase cases[] = {
      {rule({"pods"}), "CREATE", "pods", "", true},
      {rule({"pods"}), "CREATE", "pods", "status", false},
      {rule({"pods"}), "CREATE", "nodes", "", false},
      {rule({"nodes", "pods"}), "DELETE", "pods", "", true},
      {rule({"pods/*"}), "UPDATE", "pods", "status", true},
      {rule({"pods/*"}), "UPDATE", "pods", "", true},
      {rule({"pods/status"}), "UPDATE", "pods", "", false},
      {rule({"pods/status"}), "UPDATE", "pods", "status", true},
      {rule({"*"}), "UPDATE", "pods", "", true},
      {rule({"*"}), "UPDATE", "pods", "status", false},
      {rule({"*/*"}), "UPDATE", "pods", "status", true},
      {rule({"*/*"}), "UPDATE", "pods", "", true},
      {rule({"*/scale"}), "UPDATE", "deployments", "scale", true},
      {rule({"*/scale"}), "UPDATE", "deployments", "status", false},
      {creations, "CREATE", "pods", "", true},
      {creations, "DELETE", "pods", "", false},
      {of_apps, "CREATE", "deployments", "", true},
      {of_apps, "CREATE", "pods", "", false},
      {of_core, "CREATE", "pods", "", true},
      {of_core, "CREATE", "deployments", "", false},
      {other_version, "CREATE", "pods", "", false},
      {rule({"*"}, "Namespaced"), "CREATE", "pods", "", true},
      {rule({"*"}, "Namespaced"), "CREATE", "nodes", "", false},
      // A Namespace is cluster-scoped: it is not in itself.
      {rule({"*"}, "Namespaced"), "CREATE", "namespaces", "", false},
      {rule({"*"}, "Cluster"), "CREATE", "namespaces", "", true},
      {rule({"*"}, "Cluster"), "CREATE", "pods", "", false},
  };
  for (const RuleCase& one : cases) {
    Webhook webhook;
    webhook.rules = {one.rule};
    EXPECT_EQ(concerns(webhook, {.name = one.operation,
                                 .resource = kind_of(one.resource),
                                 .subresource = one.subresource}),
              one.expected)
        << one.operation << ' ' << one.resource << '/' << one.subresource << " by "
        << one.rule.resources.front() << ' ' << one.rule.scope;
  }
  EXPECT_FALSE(concerns(Webhook(), {.name = "CREATE", .resource = kind_of("pods")}));
}

TEST(Webhooks, AreAskedAboutSelectedNamespacesAndObjects) {
  const std::string not_system =
      R"({"namespaceSelector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name",)"
      R"("operator":"NotIn","values":["kube-system"]}]}})";
  const std::string guarded = R"({"objectSelector":{"matchLabels":{"guarded":"yes"}}})";
  struct Case {
    std::string extra;
    std::string path;
    std::string labels;
    bool expected;
  };
  const Case cases[] = {
      {not_system, "/api/v1/namespaces/default/pods", "{}", true},
      {not_system, "/api/v1/namespaces/kube-system/pods", "{}", false},
      {guarded, "/api/v1/namespaces/default/pods", "{}", false},
      {guarded, "/api/v1/namespaces/default/pods", R"({"guarded":"yes"})", true},
      {guarded, "/api/v1/namespaces/default/pods", R"({"guarded":"no"})", false},
  };
  for (const Case& one : cases) {
    WebhookScene hooked;
    hooked.add_validating(
        "v", "v.example.com", [](const json::object&) { return allow(); }, one.extra);
    EXPECT_EQ(hooked.cluster.post(one.path, pod_json("p", one.labels)).code, 201);
    EXPECT_EQ(!hooked.asked.empty(), one.expected) << one.path << one.labels << one.extra;
  }
}

TEST(Webhooks, SeeANamespaceByTheLabelsThatItWouldHave) {
  WebhookScene hooked;
  hooked.add_validating(
      "v", "v.example.com", [](const json::object&) { return deny(""); },
      R"({"namespaceSelector":{"matchLabels":{"guarded":"yes"}}})");
  const std::string_view spaces = "/api/v1/namespaces";
  EXPECT_EQ(hooked.cluster.post(spaces, R"({"metadata":{"name":"a"}})").code, 201);
  EXPECT_EQ(
      hooked.cluster.post(spaces, R"({"metadata":{"name":"b","labels":{"guarded":"yes"}}})").code,
      400);
  EXPECT_EQ(schema::text_at(hooked.requests.at(0), {"namespace"}), "b");
  // Cluster-scoped objects are never excluded.
  EXPECT_EQ(hooked.cluster.post("/api/v1/nodes", R"({"metadata":{"name":"n"}})").code, 400);
}

TEST(Webhooks, AreForgottenWithTheirConfiguration) {
  WebhookScene hooked;
  hooked.add_validating("v", "v.example.com", [](const json::object&) { return deny(""); });
  const std::string_view maps = "/api/v1/namespaces/default/configmaps";
  EXPECT_EQ(hooked.cluster.post(maps, config_map_json("a")).code, 400);
  EXPECT_EQ(hooked.cluster
                .remove("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v")
                .code,
            200);
  EXPECT_EQ(hooked.cluster.post(maps, config_map_json("a")).code, 201);
}

TEST(WebhookEndpoint, IsAUrlOrWhereAServiceLeads) {
  struct Case {
    std::string client;   // of the webhook
    std::string service;  // spec of default/hook, if there is one
    std::string url;
    std::string address;
    std::string problem;
  };
  const std::string reference =
      R"({"service":{"namespace":"default","name":"hook","path":"/x","port":8443}})";
  const std::string url = "https://hook.default.svc:8443/x?timeout=10s";
  const Case cases[] = {
      {R"({"url":"https://127.0.0.1:9/x"})", "", "https://127.0.0.1:9/x?timeout=10s", "", ""},
      {reference, "", url, "", "service \"hook\" not found"},
      {reference, R"({"type":"ExternalName","externalName":"localhost"})", url, "localhost", ""},
      {reference, R"({"clusterIP":"127.0.0.1","ports":[{"port":8443}]})", url, "127.0.0.1", ""},
      {reference, R"({"clusterIP":"127.0.0.1","ports":[{"port":443}]})", url, "",
       "no service port 8443 found for service \"hook\""},
      {reference, R"({"clusterIP":"None","ports":[{"port":8443}]})", url, "",
       "service type cannot be ClusterIP with None"},
      {reference, R"({"ports":[{"port":8443}]})", url, "", "has no clusterIP"},
      {R"({"service":{"namespace":"default","name":"hook"}})",
       R"({"type":"ExternalName","externalName":"localhost"})",
       "https://hook.default.svc:443/?timeout=10s", "localhost", ""},
  };
  for (const Case& one : cases) {
    WebhookScene hooked;
    if (!one.service.empty()) {
      const auto made = hooked.cluster.post(
          "/api/v1/namespaces/default/services",
          fmt::format(R"({{"metadata":{{"name":"hook"}},"spec":{}}})", one.service));
      ASSERT_EQ(made.code, 201) << made.message();
    }
    std::string seen_url;
    std::string seen_address;
    hooked.add_validating("v", "v.example.com", nullptr,
                          fmt::format(R"({{"clientConfig":{}}})", one.client));
    hooked.transport = [&](const WebhookQuestion& question) {
      seen_url = question.url;
      seen_address = question.address;
      return WebhookAnswer{.error = "enough"};
    };
    const auto answer =
        hooked.cluster.post("/api/v1/namespaces/default/configmaps", config_map_json("a"));
    const std::string why = one.problem.empty() ? "enough" : one.problem;
    EXPECT_NE(answer.message().find(fmt::format("Post \"{}\": ", one.url)), std::string::npos)
        << answer.message();
    EXPECT_NE(answer.message().find(why), std::string::npos) << answer.message();
    EXPECT_EQ(seen_url, one.problem.empty() ? one.url : "");
    EXPECT_EQ(seen_address, one.address);
  }
}

}  // namespace
}  // namespace ebb::apiserver
