#include "apiserver/openapi_schema.h"

#include <limits>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "schema/json.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Kind;
using schema::Shape;
using schema::Type;
using schema::word_list;

constexpr std::string_view kListMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";

json::object typed(std::string_view type, std::string_view format = {}) {
  json::object schema{{"type", type}};
  if (!format.empty()) schema["format"] = format;
  return schema;
}

// Types that Kubernetes describes once and refers to by name.
struct NamedType {
  Type type;
  std::string_view name;
  std::string_view schema;
};
constexpr NamedType kNamedTypes[] = {
    {Type::kTime, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
     R"({"type":"string","format":"date-time"})"},
    {Type::kMicroTime, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
     R"({"type":"string","format":"date-time"})"},
    {Type::kQuantity, "io.k8s.apimachinery.pkg.api.resource.Quantity",
     R"({"oneOf":[{"type":"string"},{"type":"number"}]})"},
    {Type::kIntOrString, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
     R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}],)"
     R"("x-kubernetes-int-or-string":true})"},
};

// One value of the field's type.
json::object value_schema(const Field& field) {
  switch (field.type) {
    case Type::kBool:
      return typed("boolean");
    case Type::kInt32:
      return typed("integer", "int32");
    case Type::kInt64:
      return typed("integer", "int64");
    case Type::kDouble:
      return typed("number", "double");
    case Type::kString:
      return typed("string");
    case Type::kBytes:
      return typed("string", "byte");
    case Type::kAny:
      return {{"x-kubernetes-preserve-unknown-fields", true}};
    case Type::kObject:
      return schema_reference(field.shape->name);
    case Type::kTime:
    case Type::kMicroTime:
    case Type::kQuantity:
    case Type::kIntOrString:
      break;
  }
  for (const NamedType& named : kNamedTypes) {
    if (named.type == field.type) return schema_reference(named.name);
  }
  EBB_CHECK(false);  // all types are above
  return {};
}

void add_bounds(const Field& field, json::object& schema) {
  if (!field.choices.empty()) schema["enum"] = word_list(field.choices);
  if (field.minimum != std::numeric_limits<std::int64_t>::min()) schema["minimum"] = field.minimum;
  if (field.maximum != std::numeric_limits<std::int64_t>::max()) schema["maximum"] = field.maximum;
}

// How server-side apply takes lists and maps.
void add_ownership(const Field& field, json::object& schema) {
  if (field.form == Form::kMap && field.applies_whole) schema["x-kubernetes-map-type"] = "atomic";
  if (field.form != Form::kList) return;
  switch (field.list_kind()) {
    case schema::ListKind::kMap:
      schema["x-kubernetes-list-type"] = "map";
      schema["x-kubernetes-list-map-keys"] = word_list(field.list_keys());
      return;
    case schema::ListKind::kSet:
      schema["x-kubernetes-list-type"] = "set";
      return;
    case schema::ListKind::kAtomic:
      schema["x-kubernetes-list-type"] = "atomic";
      return;
  }
}

// How a strategic merge patch does.
void add_merging(const Field& field, json::object& schema) {
  std::string strategy;
  if (field.form == Form::kList && !field.merge_key.empty()) {
    strategy = "merge";
    schema["x-kubernetes-patch-merge-key"] = field.merge_key;
  } else if (field.form == Form::kList && field.unites) {
    strategy = "merge";
  }
  if (field.retains_keys) strategy += strategy.empty() ? "retainKeys" : ",retainKeys";
  if (!strategy.empty()) schema["x-kubernetes-patch-strategy"] = strategy;
}

json::object field_schema(const Field& field) {
  json::object value = value_schema(field);
  add_bounds(field, value);
  json::object schema;
  switch (field.form) {
    case Form::kOne:
      // Nothing may stand beside a reference.
      if (value.contains("$ref")) {
        schema["allOf"] = json::array{std::move(value)};
      } else {
        schema = std::move(value);
      }
      break;
    case Form::kList:
      schema = {{"type", "array"}, {"items", std::move(value)}};
      break;
    case Form::kMap:
      schema = {{"type", "object"}, {"additionalProperties", std::move(value)}};
      break;
  }
  add_ownership(field, schema);
  add_merging(field, schema);
  if (!field.default_json.empty()) {
    boost::system::error_code code;
    schema["default"] = json::parse(field.default_json, code);
    EBB_CHECK(!code);
  }
  return schema;
}

void add_shape(const Shape& shape, json::object& schemas);

void add_referenced(const Field& field, json::object& schemas) {
  if (field.type == Type::kObject) return add_shape(*field.shape, schemas);
  for (const NamedType& named : kNamedTypes) {
    if (named.type == field.type) schemas.emplace(named.name, json::parse(named.schema));
  }
}

void add_shape(const Shape& shape, json::object& schemas) {
  if (schemas.contains(shape.name)) return;
  schemas[shape.name].emplace_object();  // shapes may contain themselves
  json::object properties;
  json::array required;
  schema::for_each_field(shape, [&](const Field& field) {
    properties[field.name] = field_schema(field);
    if (field.is_required) required.push_back(json::string(field.name));
    add_referenced(field, schemas);
  });
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  if (shape.applies_whole) schema["x-kubernetes-map-type"] = "atomic";
  schemas[shape.name] = std::move(schema);
}

void add_list_schema(const Kind& kind, json::object& schemas) {
  json::object properties{
      {"apiVersion", typed("string")},
      {"items", {{"type", "array"}, {"items", schema_reference(kind.shape->name)}}},
      {"kind", typed("string")},
      {"metadata",
       {{"allOf", json::array{schema_reference(kListMeta)}}, {"default", json::object()}}}};
  json::object gvk = group_version_kind(kind);
  gvk["kind"] = fmt::format("{}List", kind.name);
  schemas[list_schema_name(kind)] = {{"type", "object"},
                                     {"properties", std::move(properties)},
                                     {"required", {"items"}},
                                     {"x-kubernetes-group-version-kind", json::array{gvk}}};
}

void add_common_schemas(json::object& schemas) {
  schemas.emplace(kListMeta, json::parse(R"({"type":"object","properties":{
      "continue":{"type":"string"},
      "remainingItemCount":{"type":"integer","format":"int64"},
      "resourceVersion":{"type":"string"},
      "selfLink":{"type":"string"}}})"));
  schemas.emplace(kPatchSchema, typed("object"));
  schemas.emplace(kStatusSchema, json::parse(R"({"type":"object","properties":{
      "apiVersion":{"type":"string"},
      "kind":{"type":"string"},
      "status":{"type":"string"},
      "message":{"type":"string"},
      "reason":{"type":"string"},
      "details":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
      "code":{"type":"integer","format":"int32"}}})"));
}

}  // namespace

json::object schema_reference(std::string_view name) {
  return {{"$ref", fmt::format("#/components/schemas/{}", name)}};
}

json::object group_version_kind(const Kind& kind) {
  return {{"group", kind.group}, {"kind", kind.name}, {"version", kind.version}};
}

std::string list_schema_name(const Kind& kind) { return fmt::format("{}List", kind.shape->name); }

void add_schemas(const Kind& kind, json::object& schemas) {
  add_shape(*kind.shape, schemas);
  schemas[kind.shape->name].as_object()["x-kubernetes-group-version-kind"] =
      json::array{group_version_kind(kind)};
  add_list_schema(kind, schemas);
  add_common_schemas(schemas);
}

}  // namespace ebb::apiserver
