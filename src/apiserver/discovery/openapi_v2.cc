#include "apiserver/discovery/openapi_v2.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/discovery/api_groups.h"
#include "apiserver/discovery/openapi.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

constexpr std::string_view kReferenceV3 = "#/components/schemas/";
constexpr std::string_view kReference = "#/definitions/";

std::string reference(const json::value& v3) {
  std::string_view target = v3.as_string();
  target.remove_prefix(kReferenceV3.size());
  return fmt::format("{}{}", kReference, target);
}

json::object schema_v2(const json::object& v3);

json::object properties_v2(const json::object& v3) {
  json::object properties;
  for (const json::key_value_pair& member : v3) {
    properties[member.key()] = schema_v2(member.value().as_object());
  }
  return properties;
}

// v2 allows siblings of a reference, where v3 needs an allOf around it. v2 has no oneOf, so
// int-or-string is a string. Defaults are left out, as in Kubernetes.
json::object schema_v2(const json::object& v3) {
  json::object v2;
  for (const json::key_value_pair& member : v3) {
    const std::string_view key = member.key();
    const json::value& value = member.value();
    if (key == "$ref") {
      v2[key] = reference(value);
    } else if (key == "allOf") {
      v2["$ref"] = reference(value.as_array().front().at("$ref"));
    } else if (key == "oneOf") {
      v2["type"] = "string";
    } else if (key == "items" || key == "additionalProperties") {
      v2[key] = schema_v2(value.as_object());
    } else if (key == "properties") {
      v2[key] = properties_v2(value.as_object());
    } else if (key != "default") {
      v2[key] = value;
    }
  }
  return v2;
}

struct V2Documents {
  std::string text;
  std::string message;
};

V2Documents make_v2_documents() {
  const json::object document = openapi_v2_document();
  return {.text = json::serialize(document), .message = openapi_v2_message(document)};
}

}  // namespace

json::object openapi_v2_document() {
  json::object definitions;
  for (const ApiGroup& group : api_groups()) {
    for (const std::string_view version : group.versions) {
      const json::object v3 = openapi_document(group, version);
      for (const json::key_value_pair& member : v3.at("components").at("schemas").as_object()) {
        definitions.emplace(member.key(), schema_v2(member.value().as_object()));
      }
    }
  }
  return {{"swagger", "2.0"},
          {"info", {{"title", "ebb"}, {"version", "v1.36.0"}}},
          {"paths", json::object()},
          {"definitions", std::move(definitions)}};
}

OpenApiV2 openapi_v2(std::string_view accept) {
  static const V2Documents kDocuments = make_v2_documents();
  // Older clients write `@v1.0`, newer ones `.v1.0`.
  if (accept.find("proto-openapi.spec.v2") != std::string_view::npos) {
    return {"application/com.github.proto-openapi.spec.v2.v1.0+protobuf", kDocuments.message};
  }
  return {"application/json", kDocuments.text};
}

}  // namespace ebb::apiserver
