#include "apiserver/discovery/openapi_schema.h"

#include <limits>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "apiserver/discovery/openapi_exceptions.h"
#include "base/check.h"
#include "schema/core/json.h"
#include "schema/fielddocs/field_docs.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Kind;
using schema::ObjectSchema;
using schema::Type;
using schema::word_list;

json::object typed(std::string_view type, std::string_view format = {}) {
  json::object schema{{"type", type}};
  if (!format.empty()) schema["format"] = format;
  return schema;
}

// The description comes first, for human readers.
json::object described(std::string_view field_doc, const json::object& schema) {
  json::object all{{"description", field_doc}};
  for (const json::key_value_pair& member : schema) all.insert(member);
  return all;
}

// Types that Kubernetes defines once and refers to by name.
struct NamedType {
  Type type;
  std::string_view name;
  std::string_view schema;
  std::string_view field{};  // if set: only for fields with this name
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

// The schema of one value of the field's type.
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
      return schema_reference(field.schema->name);
    case Type::kTime:
    case Type::kMicroTime:
    case Type::kQuantity:
    case Type::kIntOrString:
      break;
  }
  EBB_CHECK(false);  // all other types have names
  return {};
}

void add_bounds(const ObjectSchema& object_schema, const Field& field, json::object& schema) {
  json::array choices = listed_choices(object_schema, field);
  if (!choices.empty()) schema["enum"] = std::move(choices);
  if (field.minimum != std::numeric_limits<std::int64_t>::min()) schema["minimum"] = field.minimum;
  if (field.maximum != std::numeric_limits<std::int64_t>::max()) schema["maximum"] = field.maximum;
}

// Adds how server-side apply treats lists and maps.
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

// Adds how a strategic merge patch treats lists and maps.
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

json::object field_schema(const ObjectSchema& object_schema, const Field& field) {
  json::object value = value_schema(field);
  add_bounds(object_schema, field, value);
  json::object schema;
  switch (field.form) {
    case Form::kOne:
      // A reference cannot have siblings.
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
  return described(schema::field_doc_of(object_schema, field.name), schema);
}

void add_schema(const ObjectSchema& object_schema, json::object& schemas);

void add_referenced(const Field& field, json::object& schemas) {
  if (field.type == Type::kObject) return add_schema(*field.schema, schemas);
  const NamedType* named = named_type(field);
  if (named == nullptr || schemas.contains(named->name)) return;
  schemas[named->name] =
      described(schema::field_doc_of(named->name), json::parse(named->schema).as_object());
}

void add_schema(const ObjectSchema& object_schema, json::object& schemas) {
  if (schemas.contains(object_schema.name)) return;
  schemas[object_schema.name].emplace_object();  // schemas may contain themselves
  json::object properties;
  json::array required;
  schema::for_each_field(object_schema, [&](const Field& field) {
    properties[field.name] = field_schema(object_schema, field);
    if (is_called_required(object_schema, field)) required.push_back(json::string(field.name));
    add_referenced(field, schemas);
  });
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  if (object_schema.applies_whole) schema["x-kubernetes-map-type"] = "atomic";
  schemas[object_schema.name] = described(schema::field_doc_of(object_schema), schema);
}

void add_list_schema(const Kind& kind, json::object& schemas) {
  const std::string name = fmt::format("{}List", kind.name);
  const auto common = [](std::string_view field, const json::object& schema) {
    return described(schema::field_doc_of(schema::kStatus, field), schema);
  };
  json::object properties{
      {"apiVersion", common("apiVersion", typed("string"))},
      {"items",
       common("items", {{"type", "array"}, {"items", schema_reference(kind.schema->name)}})},
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

std::string list_schema_name(const Kind& kind) { return fmt::format("{}List", kind.schema->name); }

void add_schemas(const Kind& kind, json::object& schemas) {
  add_schema(*kind.schema, schemas);
  schemas[kind.schema->name].as_object()["x-kubernetes-group-version-kind"] =
      json::array{group_version_kind(kind)};
}

void add_schemas_of_lists(const Kind& kind, json::object& schemas) {
  add_list_schema(kind, schemas);
  for (const ObjectSchema* object_schema :
       {&schema::kListMeta, &schema::kStatus, &schema::kDeleteOptions}) {
    add_schema(*object_schema, schemas);
  }
  schemas[kPatchSchema] = described(schema::field_doc_of(kPatchSchema), typed("object"));
}

}  // namespace ebb::apiserver
