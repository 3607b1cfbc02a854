#include "apiserver/discovery/openapi.h"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/discovery/discovery.h"
#include "apiserver/discovery/openapi_schema.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/schemas/schemas_reviews.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

constexpr std::string_view kReference = "#/components/schemas/";
constexpr std::string_view kDeploymentSpec = "io.k8s.api.apps.v1.DeploymentSpec";
constexpr std::string_view kPodSpec = "io.k8s.api.core.v1.PodSpec";

std::string group_path(const schema::Kind& kind) {
  return fmt::format("{}/{}", kind.group.empty() ? "api" : "apis", kind.api_version());
}

json::object document(std::string_view path) {
  const auto text =
      discovery_document(path.empty() ? "/openapi/v3" : fmt::format("/openapi/v3/{}", path));
  if (!text) {
    ADD_FAILURE() << "no OpenAPI for " << path;
    return {};
  }
  return json::parse(text->json).as_object();
}

// One property of a structure in the document of apps/v1, without its description.
json::value property(std::string_view schema, std::string_view name) {
  const json::object apps = document("apis/apps/v1");
  const json::object* found =
      schema::object_at(apps, {"components", "schemas", schema, "properties", name});
  if (found == nullptr) return {};
  json::object copy = *found;
  copy.erase("description");
  return copy;
}

void collect_references(const json::value& value, std::vector<std::string>& references) {
  if (const json::array* array = value.if_array()) {
    for (const json::value& entry : *array) collect_references(entry, references);
  } else if (const json::object* object = value.if_object()) {
    for (const json::key_value_pair& member : *object) {
      if (member.key() == "$ref") references.emplace_back(member.value().as_string());
      collect_references(member.value(), references);
    }
  }
}

TEST(OpenApi, ResolvesEveryReference) {
  const json::object index = document("");
  for (const json::key_value_pair& entry : index.at("paths").as_object()) {
    const json::object body = document(std::string_view(entry.key()));
    const json::object& schemas = body.at("components").at("schemas").as_object();
    std::vector<std::string> references;
    collect_references(body, references);
    for (const std::string& reference : references) {
      ASSERT_TRUE(reference.starts_with(kReference)) << reference;
      EXPECT_TRUE(schemas.contains(reference.substr(kReference.size()))) << reference;
    }
  }
}

TEST(OpenApi, IndexesDocumentsByAHashOfTheirText) {
  const json::object index = document("");
  for (const schema::Kind& kind : schema::kinds()) {
    const std::string path = group_path(kind);
    const std::string_view url = schema::text_at(index, {"paths", path, "serverRelativeURL"});
    EXPECT_TRUE(url.starts_with(fmt::format("/openapi/v3/{}?hash=", path))) << url;
  }
}

TEST(OpenApi, LetsFieldsBeValidatedInEveryWrite) {
  for (const schema::Kind& kind : schema::kinds()) {
    const json::object body = document(group_path(kind));
    const std::string own =
        fmt::format("/{}/{}{}", group_path(kind), kind.namespaced ? "namespaces/{namespace}/" : "",
                    kind.plural);
    const std::string item = own + "/{name}";
    const struct {
      std::string_view path;
      std::string_view method;
    } writes[] = {{own, "post"}, {item, "put"}, {item, "patch"}};
    for (const auto& write : writes) {
      const json::object* operation = schema::object_at(body, {"paths", write.path, write.method});
      ASSERT_NE(operation, nullptr) << write.method << " " << write.path;
      EXPECT_EQ(operation->at("x-kubernetes-group-version-kind"),
                json::value(group_version_kind(kind)));
      EXPECT_EQ(operation->at("x-kubernetes-action").as_string(), write.method);
      bool validates = false;
      for (const json::value& parameter : operation->at("parameters").as_array()) {
        validates |= parameter.at("name") == "fieldValidation" && parameter.at("in") == "query";
      }
      EXPECT_TRUE(validates) << write.method << " " << write.path;
    }
    const json::object* patches =
        schema::object_at(body, {"paths", item, "patch", "requestBody", "content"});
    ASSERT_NE(patches, nullptr);
    EXPECT_EQ(patches->contains("application/strategic-merge-patch+json"), !kind.custom);
    EXPECT_TRUE(patches->contains("application/merge-patch+json"));
  }
}

TEST(OpenApi, NamesTheSchemaOfEveryKind) {
  for (const schema::Kind& kind : schema::kinds()) {
    const json::object body = document(group_path(kind));
    const json::object* schema =
        schema::object_at(body, {"components", "schemas", kind.schema->name});
    ASSERT_NE(schema, nullptr) << kind.name;
    EXPECT_EQ(schema->at("x-kubernetes-group-version-kind"),
              json::value(json::array{group_version_kind(kind)}));
  }
}

TEST(OpenApi, SaysHowListsAreMerged) {
  EXPECT_EQ(property(kPodSpec, "containers"), json::parse(R"({
      "type": "array", "items": {"$ref": "#/components/schemas/io.k8s.api.core.v1.Container"},
      "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"})"));
  EXPECT_EQ(property("io.k8s.api.core.v1.Container", "ports").at("x-kubernetes-list-map-keys"),
            json::parse(R"(["containerPort", "protocol"])"));
  EXPECT_EQ(property("io.k8s.api.core.v1.Container", "ports").at("x-kubernetes-patch-merge-key"),
            "containerPort");
  const json::object apps = document("apis/apps/v1");
  EXPECT_EQ(*schema::lookup(apps, {"components", "schemas",
                                   "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
                                   "x-kubernetes-map-type"}),
            "atomic");
  EXPECT_EQ(property(kPodSpec, "volumes").at("x-kubernetes-patch-strategy"), "merge,retainKeys");
  EXPECT_EQ(property("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "finalizers"),
            json::parse(R"({"type": "array", "items": {"type": "string"},
                            "x-kubernetes-list-type": "set",
                            "x-kubernetes-patch-strategy": "merge"})"));
  EXPECT_EQ(property(kPodSpec, "tolerations").at("x-kubernetes-list-type"), "atomic");
  EXPECT_FALSE(
      property(kPodSpec, "tolerations").as_object().contains("x-kubernetes-patch-strategy"));
}

TEST(OpenApi, DescribesTypesBoundsAndDefaults) {
  EXPECT_EQ(property(kDeploymentSpec, "replicas"),
            json::parse(R"({"type": "integer", "format": "int32", "minimum": 0, "default": 1})"));
  EXPECT_EQ(property(kDeploymentSpec, "strategy"), json::parse(R"({
      "allOf": [{"$ref": "#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy"}],
      "x-kubernetes-patch-strategy": "retainKeys", "default": {}})"));
  EXPECT_EQ(property("io.k8s.api.apps.v1.DeploymentStrategy", "type"),
            json::parse(R"({"type": "string", "enum": ["Recreate", "RollingUpdate"],
                            "default": "RollingUpdate"})"));
  EXPECT_EQ(property("io.k8s.api.apps.v1.RollingUpdateDeployment", "maxSurge"), json::parse(R"({
      "allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString"}],
      "default": "25%"})"));
  EXPECT_EQ(property(kPodSpec, "nodeSelector"), json::parse(R"({
      "type": "object", "additionalProperties": {"type": "string"},
      "x-kubernetes-map-type": "atomic"})"));
  // The sources of a volume are inlined into the volume.
  EXPECT_TRUE(property("io.k8s.api.core.v1.Volume", "emptyDir").is_object());
  const json::object apps = document("apis/apps/v1");
  EXPECT_EQ(*schema::lookup(apps, {"components", "schemas", kDeploymentSpec, "required"}),
            json::parse(R"(["selector", "template"])"));
}

TEST(OpenApi, DescribesEveryStructureAndField) {
  const json::object index = document("");
  for (const json::key_value_pair& entry : index.at("paths").as_object()) {
    const json::object body = document(std::string_view(entry.key()));
    for (const auto& schema : body.at("components").at("schemas").as_object()) {
      const json::object& structure = schema.value().as_object();
      EXPECT_NE(schema::text_at(structure, {"description"}), "") << schema.key();
      const json::object* properties = schema::object_at(structure, {"properties"});
      if (properties == nullptr) continue;
      for (const json::key_value_pair& field : *properties) {
        EXPECT_NE(schema::text_at(field.value().as_object(), {"description"}), "")
            << schema.key() << "." << field.key();
      }
    }
  }
  EXPECT_EQ(schema::text_at(document("apis/apps/v1"),
                            {"components", "schemas", kDeploymentSpec, "properties",
                             "downscalePodPicker", "description"}),
            "A service that is called during a scale-down to choose the pods to remove.");
}

TEST(OpenApi, KnowsWhatIsPostedAndNeverStored) {
  for (const schema::Kind& kind : schema::review_kinds()) {
    const json::object body = document(group_path(kind));
    EXPECT_NE(schema::object_at(body, {"components", "schemas", kind.schema->name}), nullptr);
    const std::string path =
        fmt::format("/{}/{}{}", group_path(kind), kind.namespaced ? "namespaces/{namespace}/" : "",
                    kind.plural);
    const json::object* operations = schema::object_at(body, {"paths", path});
    ASSERT_NE(operations, nullptr) << path;
    EXPECT_TRUE(operations->contains("post"));
    EXPECT_FALSE(operations->contains("get"));
  }
  const json::object core = document("api/v1");
  for (const std::string_view name : {"eviction", "binding"}) {
    const std::string path = fmt::format("/api/v1/namespaces/{{namespace}}/pods/{{name}}/{}", name);
    EXPECT_NE(schema::object_at(core, {"paths", path, "post"}), nullptr) << path;
  }
  const json::object apps = document("apis/apps/v1");
  EXPECT_NE(schema::object_at(
                apps, {"paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
                       "patch"}),
            nullptr);
}

}  // namespace
}  // namespace ebb::apiserver
