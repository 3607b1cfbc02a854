#include "apiserver/discovery/openapi_v2.h"

#include <map>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "base/wire_reader.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/fielddocs/field_docs.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

constexpr std::string_view kProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

// The fields of a message that are texts or messages themselves.
using Fields = std::multimap<unsigned, std::string_view>;

Fields fields_of(std::string_view message) {
  Fields fields;
  WireReader reader(message);
  while (reader.next()) {
    WireReader copy = reader;
    const std::string_view bytes = copy.bytes();
    if (copy.ok()) fields.emplace(reader.field(), bytes);
  }
  EXPECT_TRUE(reader.ok());
  return fields;
}

std::string_view only(const Fields& fields, unsigned number) {
  EXPECT_EQ(fields.count(number), 1U) << number;
  const auto found = fields.find(number);
  return found == fields.end() ? std::string_view() : found->second;
}

// A map in a message: the values by their names.
std::map<std::string_view, std::string_view> named(std::string_view message) {
  std::map<std::string_view, std::string_view> all;
  for (const auto& [number, entry] : fields_of(message)) {
    const Fields pair = fields_of(entry);
    all[only(pair, 1)] = only(pair, 2);
  }
  return all;
}

TEST(OpenApiV2, IsAProtobufMessageForClientsThatAcceptIt) {
  for (const std::string_view accept :
       {"application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
        "application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/json"}) {
    EXPECT_EQ(openapi_v2(accept).content_type, kProtobuf);
    EXPECT_EQ(only(fields_of(openapi_v2(accept).body), 1), "2.0");
  }
}

TEST(OpenApiV2, IsJsonOtherwise) {
  EXPECT_EQ(openapi_v2("application/json").content_type, "application/json");
  EXPECT_EQ(openapi_v2("").body.substr(0, 16), R"({"swagger":"2.0")");
}

TEST(OpenApiV2, DefinesEveryKindWithItsDescription) {
  const json::object document = openapi_v2_document();
  for (const schema::Kind& kind : schema::kinds()) {
    const json::object* definition =
        schema::object_at(document, {"definitions", kind.schema->name});
    ASSERT_NE(definition, nullptr) << kind.name;
    EXPECT_EQ(definition->at("description").as_string(), schema::field_doc_of(*kind.schema));
    EXPECT_TRUE(definition->contains("x-kubernetes-group-version-kind")) << kind.name;
  }
}

TEST(OpenApiV2, WritesReferencesAndTypesInItsOwnWay) {
  const json::object document = openapi_v2_document();
  const auto at = [&](std::string_view object_schema, std::string_view field) {
    json::object found =
        *schema::object_at(document, {"definitions", object_schema, "properties", field});
    EXPECT_FALSE(found["description"].as_string().empty());
    found.erase("description");
    return json::value(found);
  };
  EXPECT_EQ(at("io.k8s.api.apps.v1.DeploymentSpec", "strategy"), json::parse(R"({
      "$ref": "#/definitions/io.k8s.api.apps.v1.DeploymentStrategy",
      "x-kubernetes-patch-strategy": "retainKeys"})"));
  EXPECT_EQ(at("io.k8s.api.apps.v1.DeploymentSpec", "replicas"),
            json::parse(R"({"type": "integer", "format": "int32", "minimum": 0})"));
  EXPECT_EQ(at("io.k8s.api.core.v1.ContainerImage", "names"), json::parse(R"({
      "type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"})"));
  EXPECT_EQ(*schema::lookup(document, {"definitions",
                                       "io.k8s.apimachinery.pkg.util.intstr.IntOrString", "type"}),
            "string");
}

TEST(OpenApiV2, SaysTheSameInProtobuf) {
  const json::object document = openapi_v2_document();
  const json::object& definitions = document.at("definitions").as_object();
  const std::string message = openapi_v2_message(document);
  const auto schemas = named(only(fields_of(message), 9));
  ASSERT_EQ(schemas.size(), definitions.size());
  for (const json::key_value_pair& member : definitions) {
    const json::object& expected = member.value().as_object();
    const Fields schema = fields_of(schemas.at(std::string_view(member.key())));
    EXPECT_EQ(only(schema, 4), expected.at("description").as_string());
    const json::value* required = expected.if_contains("required");
    EXPECT_EQ(schema.count(19), required == nullptr ? 0 : required->as_array().size());
    if (!expected.contains("properties")) continue;
    const auto properties = named(only(schema, 25));
    EXPECT_EQ(properties.size(), expected.at("properties").as_object().size());
  }
  const Fields spec = fields_of(schemas.at("io.k8s.api.apps.v1.DeploymentStrategy"));
  const Fields type = fields_of(named(only(spec, 25)).at("type"));
  EXPECT_EQ(only(fields_of(only(type, 22)), 1), "string");
  EXPECT_EQ(type.count(20), 2U);  // the choices
}

}  // namespace
}  // namespace ebb::apiserver
