#include "apiserver/openapi.h"

#include <string>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "apiserver/openapi_schema.h"
#include "apiserver/options.h"
#include "schema/kind.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Kind;

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

json::object collection(const Kind& kind) {
  const std::string_view schema = kind.shape->name;
  json::object path{
      {"get", list_operation(kind)},
      {"post",
       with_body(operation(kind, "post", write_parameters(), schema), body(json_content(schema)))},
      {"delete", operation(kind, "deletecollection", delete_parameters(), kStatusSchema)}};
  if (kind.namespaced) {
    path["parameters"] = json::array{parameter("path", "namespace", "string")};
  }
  return path;
}

// An object, or its status.
json::object item(const Kind& kind, bool is_status) {
  const std::string_view schema = kind.shape->name;
  json::object path{
      {"get", operation(kind, "get", {}, schema)},
      {"put",
       with_body(operation(kind, "put", write_parameters(), schema), body(json_content(schema)))},
      {"patch", with_body(operation(kind, "patch", patch_parameters(), schema), patch_body(kind))}};
  if (!is_status) path["delete"] = operation(kind, "delete", delete_parameters(), kStatusSchema);
  json::array parameters{parameter("path", "name", "string")};
  if (kind.namespaced) parameters.push_back(parameter("path", "namespace", "string"));
  path["parameters"] = std::move(parameters);
  return path;
}

void add_paths(const Kind& kind, std::string_view root, json::object& paths) {
  const std::string everywhere = fmt::format("/{}/{}", root, kind.plural);
  const std::string own = kind.namespaced
                              ? fmt::format("/{}/namespaces/{{namespace}}/{}", root, kind.plural)
                              : everywhere;
  if (kind.namespaced) paths[everywhere] = {{"get", list_operation(kind)}};
  paths[own] = collection(kind);
  paths[own + "/{name}"] = item(kind, false);
  if (kind.has_status) paths[own + "/{name}/status"] = item(kind, true);
}

}  // namespace

json::object openapi_document(const ApiGroup& group, std::string_view version) {
  json::object paths;
  json::object schemas;
  for (const Kind& kind : schema::kinds()) {
    if (kind.group != group.name || kind.version != version) continue;
    add_paths(kind, group.path(version), paths);
    add_schemas(kind, schemas);
  }
  return {{"openapi", "3.0.0"},
          {"info", {{"title", "ebb"}, {"version", "v1.36.0"}}},
          {"paths", std::move(paths)},
          {"components", {{"schemas", std::move(schemas)}}}};
}

}  // namespace ebb::apiserver
