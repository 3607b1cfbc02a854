#include "apiserver/openapi_schema.h"

#include <limits>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "apiserver/openapi_exceptions.h"
#include "base/check.h"
#include "schema/json.h"
#include "schema/notes.h"
#include "schema/shapes_meta.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Kind;
using schema::Shape;
using schema::Type;
using schema::word_list;

json::object typed(std::string_view type, std::string_view format = {}) {
  json::object schema{{"type", type}};
  if (!format.empty()) schema["format"] = format;
  return schema;
}

// The description comes first, for people who look at the document.
json::object described(std::string_view note, const json::object& schema) {
  json::object all{{"description", note}};
  for (const json::key_value_pair& member : schema) all.insert(member);
  return all;
}

// Types that Kubernetes describes once and refers to by name.
struct NamedType {
  Type type;
  std::string_view name;
  std::string_view schema;
  std::string_view field{};  // not empty: only of fields of this name
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
    {Type::kAny, "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", R"({"type":"object"})",
     "fieldsV1"},
};

const NamedType* named_type(const Field& field) {
  for (const NamedType& named : kNamedTypes) {
    const bool fits = named.field.empty() || named.field == field.name;
    if (named.type == field.type && fits) return &named;
  }
  return nullptr;
}

// One value of the field's type.
json::object value_schema(const Field& field) {
  if (const NamedType* named = named_type(field)) return schema_reference(named->name);
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
  EBB_CHECK(false);  // all others have names
  return {};
}

void add_bounds(const Shape& shape, const Field& field, json::object& schema) {
  json::array choices = listed_choices(shape, field);
  if (!choices.empty()) schema["enum"] = std::move(choices);
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

json::object field_schema(const Shape& shape, const Field& field) {
  json::object value = value_schema(field);
  add_bounds(shape, field, value);
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
  return described(schema::note_of(shape, field.name), schema);
}

void add_shape(const Shape& shape, json::object& schemas);

void add_referenced(const Field& field, json::object& schemas) {
  if (field.type == Type::kObject) return add_shape(*field.shape, schemas);
  const NamedType* named = named_type(field);
  if (named == nullptr || schemas.contains(named->name)) return;
  schemas[named->name] =
      described(schema::note_of(named->name), json::parse(named->schema).as_object());
}

void add_shape(const Shape& shape, json::object& schemas) {
  if (schemas.contains(shape.name)) return;
  schemas[shape.name].emplace_object();  // shapes may contain themselves
  json::object properties;
  json::array required;
  schema::for_each_field(shape, [&](const Field& field) {
    properties[field.name] = field_schema(shape, field);
    if (is_called_required(shape, field)) required.push_back(json::string(field.name));
    add_referenced(field, schemas);
  });
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  if (shape.applies_whole) schema["x-kubernetes-map-type"] = "atomic";
  schemas[shape.name] = described(schema::note_of(shape), schema);
}

void add_list_schema(const Kind& kind, json::object& schemas) {
  const std::string name = fmt::format("{}List", kind.name);
  const auto common = [](std::string_view field, const json::object& schema) {
    return described(schema::note_of(schema::kStatus, field), schema);
  };
  json::object properties{
      {"apiVersion", common("apiVersion", typed("string"))},
      {"items",
       common("items", {{"type", "array"}, {"items", schema_reference(kind.shape->name)}})},
      {"kind", common("kind", typed("string"))},
      {"metadata",
       common("metadata", {{"allOf", json::array{schema_reference(schema::kListMeta.name)}},
                           {"default", json::object()}})}};
  json::object gvk = group_version_kind(kind);
  gvk["kind"] = name;
  schemas[list_schema_name(kind)] =
      described(fmt::format("A list of objects of kind {}.", kind.name),
                {{"type", "object"},
                 {"properties", std::move(properties)},
                 {"required", {"items"}},
                 {"x-kubernetes-group-version-kind", json::array{gvk}}});
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
}

void add_schemas_of_lists(const Kind& kind, json::object& schemas) {
  add_list_schema(kind, schemas);
  for (const Shape* shape : {&schema::kListMeta, &schema::kStatus, &schema::kDeleteOptions}) {
    add_shape(*shape, schemas);
  }
  schemas[kPatchSchema] = described(schema::note_of(kPatchSchema), typed("object"));
}

}  // namespace ebb::apiserver
