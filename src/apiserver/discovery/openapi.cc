#include "apiserver/discovery/openapi.h"

#include <string>
#include <utility>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "apiserver/discovery/openapi_schema.h"
#include "apiserver/request/options.h"
#include "schema/core/kind.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_reviews.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Kind;

struct Document {
  json::object paths;
  json::object schemas;
};

json::object parameter(std::string_view in, std::string_view name, std::string_view type) {
  json::object parameter{{"in", in}, {"name", name}, {"schema", {{"type", type}}}};
  if (in == "path") parameter["required"] = true;
  return parameter;
}

json::array list_parameters() {
  return {parameter("query", "continue", "string"),
          parameter("query", "fieldSelector", "string"),
          parameter("query", "labelSelector", "string"),
          parameter("query", "limit", "integer"),
          parameter("query", "resourceVersion", "string"),
          parameter("query", "resourceVersionMatch", "string"),
          parameter("query", "timeoutSeconds", "integer"),
          parameter("query", "watch", "boolean")};
}

json::array delete_parameters() {
  return {parameter("query", "gracePeriodSeconds", "integer"),
          parameter("query", "propagationPolicy", "string")};
}

json::array write_parameters() {
  return {parameter("query", "fieldManager", "string"),
          parameter("query", "fieldValidation", "string")};
}

json::array patch_parameters() {
  json::array parameters = write_parameters();
  parameters.push_back(parameter("query", "force", "boolean"));
  return parameters;
}

json::object json_content(std::string_view schema_name) {
  return {{"application/json", {{"schema", schema_reference(schema_name)}}}};
}

json::object body(json::object content) {
  return {{"content", std::move(content)}, {"required", true}};
}

json::object patch_body(const Kind& kind) {
  json::object content;
  const json::object schema{{"schema", schema_reference(kPatchSchema)}};
  content[kApplyPatch] = schema;
  content["application/json-patch+json"] = schema;
  content["application/merge-patch+json"] = schema;
  if (!kind.custom) content["application/strategic-merge-patch+json"] = schema;
  return body(std::move(content));
}

json::object operation(const Kind& kind, std::string_view action, json::array parameters,
                       std::string_view answer) {
  return {{"parameters", std::move(parameters)},
          {"responses", {{"200", {{"description", "OK"}, {"content", json_content(answer)}}}}},
          {"x-kubernetes-action", action},
          {"x-kubernetes-group-version-kind", group_version_kind(kind)}};
}

json::object list_operation(const Kind& kind) {
  return operation(kind, "list", list_parameters(), list_schema_name(kind));
}

json::object with_body(json::object operation, json::object request_body) {
  operation["requestBody"] = std::move(request_body);
  return operation;
}

json::object create_operation(const Kind& kind) {
  const std::string_view schema = kind.schema->name;
  return with_body(operation(kind, "post", write_parameters(), schema), body(json_content(schema)));
}

json::object delete_operation(const Kind& kind, std::string_view action) {
  return with_body(operation(kind, action, delete_parameters(), schema::kStatus.name),
                   {{"content", json_content(schema::kDeleteOptions.name)}});
}

json::array place_parameters(bool namespaced, bool named) {
  json::array parameters;
  if (named) parameters.push_back(parameter("path", "name", "string"));
  if (namespaced) parameters.push_back(parameter("path", "namespace", "string"));
  return parameters;
}

// A resource that supports POST only, on a collection or below an object.
json::object posted(const Kind& kind, bool namespaced, bool named) {
  return {{"post", create_operation(kind)}, {"parameters", place_parameters(namespaced, named)}};
}

json::object collection(const Kind& kind) {
  return {{"get", list_operation(kind)},
          {"post", create_operation(kind)},
          {"delete", delete_operation(kind, "deletecollection")},
          {"parameters", place_parameters(kind.namespaced, false)}};
}

// A document that supports reads and writes: an object, its status, its scale.
json::object item(const Kind& kind, bool namespaced) {
  const std::string_view schema = kind.schema->name;
  return {
      {"get", operation(kind, "get", {}, schema)},
      {"put",
       with_body(operation(kind, "put", write_parameters(), schema), body(json_content(schema)))},
      {"patch", with_body(operation(kind, "patch", patch_parameters(), schema), patch_body(kind))},
      {"parameters", place_parameters(namespaced, true)}};
}

std::string place_of(const Kind& kind, std::string_view root) {
  return kind.namespaced ? fmt::format("/{}/namespaces/{{namespace}}/{}", root, kind.plural)
                         : fmt::format("/{}/{}", root, kind.plural);
}

void add_kind(const Kind& kind, std::string_view root, Document& document) {
  json::object& paths = document.paths;
  const std::string own = place_of(kind, root);
  const std::string one = own + "/{name}";
  if (kind.namespaced) {
    paths[fmt::format("/{}/{}", root, kind.plural)] = {{"get", list_operation(kind)}};
  }
  paths[own] = collection(kind);
  paths[one] = item(kind, kind.namespaced);
  paths[one].as_object()["delete"] = delete_operation(kind, "delete");
  if (kind.has_status) paths[one + "/status"] = item(kind, kind.namespaced);
  if (kind.has_scale) {
    paths[one + "/scale"] = item(schema::scale_kind(), kind.namespaced);
    add_schemas(schema::scale_kind(), document.schemas);
  }
  add_schemas(kind, document.schemas);
  add_schemas_of_lists(kind, document.schemas);
}

// The subresources of pods other than status.
void add_pod_subresources(Document& document) {
  const std::string one = "/api/v1/namespaces/{namespace}/pods/{name}";
  for (const auto& [name, kind] : {std::pair{"binding", &schema::binding_kind()},
                                   std::pair{"eviction", &schema::eviction_kind()}}) {
    document.paths[fmt::format("{}/{}", one, name)] = posted(*kind, true, true);
    add_schemas(*kind, document.schemas);
  }
}

}  // namespace

json::object openapi_document(const ApiGroup& group, std::string_view version) {
  Document document;
  const std::string root = group.path(version);
  for (const Kind& kind : schema::kinds()) {
    if (kind.group == group.name && kind.version == version) add_kind(kind, root, document);
  }
  for (const Kind& kind : schema::review_kinds()) {
    if (kind.group != group.name || kind.version != version) continue;
    document.paths[place_of(kind, root)] = posted(kind, kind.namespaced, false);
    add_schemas(kind, document.schemas);
  }
  if (group.name.empty()) add_pod_subresources(document);
  // Discovery lists evictions in this group, so OpenAPI describes them here too.
  if (group.name == "policy") {
    document.paths[fmt::format("/{}/namespaces/{{namespace}}/evictions", root)] =
        posted(schema::eviction_kind(), true, false);
    add_schemas(schema::eviction_kind(), document.schemas);
  }
  return {{"openapi", "3.0.0"},
          {"info", {{"title", "ebb"}, {"version", "v1.36.0"}}},
          {"paths", std::move(document.paths)},
          {"components", {{"schemas", std::move(document.schemas)}}}};
}

}  // namespace ebb::apiserver
