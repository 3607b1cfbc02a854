#include "apiserver/discovery/discovery.h"

#include <set>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/discovery/api_groups.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

json::object document(std::string_view path) {
  const auto text = discovery_document(path);
  if (!text) {
    ADD_FAILURE() << "no document at " << path;
    return {};
  }
  return json::parse(text->json).as_object();
}

std::string list_path(const schema::Kind& kind) {
  return fmt::format("/{}/{}", kind.group.empty() ? "api" : "apis", kind.api_version());
}

// The entry of a resource in the list at a path; empty if there is none.
json::object resource(std::string_view path, std::string_view name) {
  const json::object list = document(path);
  const json::array* resources = schema::array_at(list, {"resources"});
  if (resources == nullptr) return {};
  for (const json::value& entry : *resources) {
    if (entry.at("name").as_string() == name) return entry.as_object();
  }
  return {};
}

TEST(Discovery, ShowsEveryResourceThatIsServed) {
  ASSERT_FALSE(schema::kinds().empty());
  for (const schema::Kind& kind : schema::kinds()) {
    const json::object entry = resource(list_path(kind), kind.plural);
    EXPECT_EQ(schema::text_at(entry, {"kind"}), kind.name);
    EXPECT_EQ(schema::text_at(entry, {"singularName"}), kind.singular);
    EXPECT_EQ(schema::is_true_at(entry, {"namespaced"}), kind.namespaced);
    EXPECT_EQ(!resource(list_path(kind), fmt::format("{}/status", kind.plural)).empty(),
              kind.has_status);
    EXPECT_EQ(!resource(list_path(kind), fmt::format("{}/scale", kind.plural)).empty(),
              kind.has_scale);
  }
}

TEST(Discovery, DescribesPodsAsKubernetesDoes) {
  EXPECT_EQ(resource("/api/v1", "pods"), json::parse(R"({
      "name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod",
      "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      "shortNames": ["po"], "categories": ["all"]})"));
  EXPECT_EQ(resource("/api/v1", "pods/status"), json::parse(R"({
      "name": "pods/status", "singularName": "", "namespaced": true, "kind": "Pod",
      "verbs": ["get", "patch", "update"]})"));
  EXPECT_EQ(resource("/api/v1", "pods/eviction"), json::parse(R"({
      "name": "pods/eviction", "singularName": "", "namespaced": true, "group": "policy",
      "version": "v1", "kind": "Eviction", "verbs": ["create"]})"));
  EXPECT_EQ(resource("/api/v1", "pods/binding"), json::parse(R"({
      "name": "pods/binding", "singularName": "", "namespaced": true, "kind": "Binding",
      "verbs": ["create"]})"));
}

TEST(Discovery, DescribesTheOtherSubresources) {
  EXPECT_EQ(resource("/apis/apps/v1", "deployments/scale"), json::parse(R"({
      "name": "deployments/scale", "singularName": "", "namespaced": true,
      "group": "autoscaling", "version": "v1", "kind": "Scale",
      "verbs": ["get", "patch", "update"]})"));
  EXPECT_EQ(resource("/api/v1", "namespaces/finalize"), json::parse(R"({
      "name": "namespaces/finalize", "singularName": "", "namespaced": false,
      "kind": "Namespace", "verbs": ["update"]})"));
}

TEST(Discovery, ListsEveryGroupOnceWithItsVersions) {
  std::vector<std::string> names;
  const json::object list = document("/apis");
  for (const json::value& group : list.at("groups").as_array()) {
    names.emplace_back(group.at("name").as_string());
    const json::object alone = document("/apis/" + names.back());
    EXPECT_EQ(schema::text_at(alone, {"kind"}), "APIGroup");
    EXPECT_EQ(alone.at("versions"), group.at("versions"));
    const std::string path = fmt::format(
        "/apis/{}", std::string_view(group.at("preferredVersion").at("groupVersion").as_string()));
    EXPECT_EQ(schema::text_at(document(path), {"kind"}), "APIResourceList");
  }
  EXPECT_EQ(names, (std::vector<std::string>{"apps", "admissionregistration.k8s.io",
                                             "coordination.k8s.io", "ebb.dev", "policy",
                                             "authentication.k8s.io", "authorization.k8s.io"}));
  EXPECT_EQ(document("/api").at("versions"), json::parse(R"(["v1"])"));
}

TEST(Discovery, HasNoGroupWithoutResources) {
  for (const ApiGroup& group : api_groups()) {
    for (const std::string_view version : group.versions) {
      const json::object list = document("/" + group.path(version));
      const json::array* resources = schema::array_at(list, {"resources"});
      ASSERT_NE(resources, nullptr);
      EXPECT_FALSE(resources->empty()) << group.name;
    }
  }
}

TEST(Discovery, SaysWhichKubernetesItIs) {
  const json::object version = document("/version");
  EXPECT_EQ(schema::text_at(version, {"major"}), "1");
  EXPECT_EQ(schema::text_at(version, {"minor"}), "36");
  EXPECT_TRUE(schema::text_at(version, {"gitVersion"}).starts_with("v1.36.0+ebb"));
}

// As client-go asks.
constexpr std::string_view kClientGo =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

TEST(Discovery, IsOneDocumentForClientsThatAcceptAggregation) {
  for (const std::string_view path : {"/api", "/apis"}) {
    const auto found = discovery_document(path, kClientGo);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->content_type,
              "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  }
  const json::value all = json::parse(discovery_document("/apis", kClientGo)->json);
  EXPECT_EQ(all.at("items").as_array().size(), api_groups().size() - 1);
  const json::value& apps = all.at("items").at(0);
  EXPECT_EQ(apps.at("metadata").at("name"), "apps");
  EXPECT_EQ(apps.at("versions").at(0).at("resources").at(1), json::parse(R"({
    "resource": "deployments",
    "responseKind": {"group": "apps", "version": "v1", "kind": "Deployment"},
    "scope": "Namespaced", "singularResource": "deployment",
    "verbs": ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    "shortNames": ["deploy"], "categories": ["all"],
    "subresources": [
      {"subresource": "status",
       "responseKind": {"group": "apps", "version": "v1", "kind": "Deployment"},
       "verbs": ["get", "patch", "update"]},
      {"subresource": "scale",
       "responseKind": {"group": "autoscaling", "version": "v1", "kind": "Scale"},
       "verbs": ["get", "patch", "update"]}]})"));
}

TEST(Discovery, IsPlainForClientsThatPreferItOrAcceptAnotherVersion) {
  for (const std::string_view accept :
       {"", "application/json", "*/*",
        "application/json,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
        "application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList"}) {
    EXPECT_EQ(json::parse(discovery_document("/apis", accept)->json).at("kind"), "APIGroupList")
        << accept;
  }
}

TEST(Discovery, KnowsNothingElse) {
  for (const std::string_view path : {"", "/", "/api/v2", "/apis/batch", "/apis/apps/v2",
                                      "/openapi", "/openapi/v2", "/healthz"}) {
    EXPECT_FALSE(discovery_document(path).has_value()) << path;
  }
  EXPECT_EQ(document("/apis/"), document("/apis"));
}

}  // namespace
}  // namespace ebb::apiserver
