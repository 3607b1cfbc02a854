#include "support/objects/custom_resources.h"

#include <algorithm>
#include <limits>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "schema/core/json.h"
#include "schema/core/name_rules.h"
#include "schema/core/object_schema.h"
#include "schema/fielddocs/field_docs.h"
#include "support/objects/custom_resource_extras.h"

namespace ebb::support {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Format;
using schema::Kind;
using schema::ObjectSchema;
using schema::Type;
using schema::word_list;

namespace {

std::string_view short_name(const ObjectSchema& object_schema) {
  return object_schema.name.substr(object_schema.name.rfind('.') + 1);
}

// The description comes first, for people.
void annotate(std::string_view field_doc, std::string_view extra, json::object& schema) {
  EBB_CHECK(!field_doc.empty());
  json::object all{{"description", field_doc}};
  for (const auto& member : schema) all.insert(member);
  const json::object more = json::parse(fmt::format("{{{}}}", extra)).as_object();
  for (const auto& member : more) all.insert(member);
  schema = std::move(all);
}

json::object schema_of_object(const ObjectSchema& object_schema);

json::object value_schema(const Field& field) {
  switch (field.type) {
    case Type::kBool:
      return {{"type", "boolean"}};
    case Type::kInt32:
      return {{"type", "integer"}, {"format", "int32"}};
    case Type::kInt64:
      return {{"type", "integer"}, {"format", "int64"}};
    case Type::kDouble:
      return {{"type", "number"}};
    case Type::kString:
      return {{"type", "string"}};
    case Type::kBytes:
      return {{"type", "string"}, {"format", "byte"}};
    case Type::kTime:
    case Type::kMicroTime:
      return {{"type", "string"}, {"format", "date-time"}};
    case Type::kIntOrString:
      return {{"x-kubernetes-int-or-string", true}};
    case Type::kAny:
      return {{"x-kubernetes-preserve-unknown-fields", true}};
    case Type::kObject:
      return schema_of_object(*field.schema);
    default:
      EBB_CHECK(false);  // our kinds have no others
      return {};
  }
}

void add_limits(const Field& field, json::object& schema) {
  using Limits = std::numeric_limits<std::int64_t>;
  using Limits32 = std::numeric_limits<std::int32_t>;
  if (!field.choices.empty()) schema["enum"] = word_list(field.choices);
  std::int64_t low = field.minimum;
  std::int64_t high = field.maximum;
  if (field.type == Type::kInt32) {
    low = std::max<std::int64_t>(low, Limits32::min());
    high = std::min<std::int64_t>(high, Limits32::max());
  }
  if (low != Limits::min()) schema["minimum"] = low;
  if (high != Limits::max()) schema["maximum"] = high;
  const auto add_text = [&](std::size_t longest, std::string_view pattern) {
    schema["maxLength"] = longest;
    schema["pattern"] = fmt::format("^{}$", pattern);
  };
  if (field.format == Format::kDnsSubdomain) {
    add_text(schema::kMaxSubdomainBytes, schema::kSubdomainPattern);
  } else if (field.format == Format::kApiVersion) {
    add_text(schema::kMaxApiVersionBytes, schema::kApiVersionPattern);
  } else if (field.format == Format::kKind) {
    add_text(schema::kMaxLabelBytes, schema::kKindPattern);
  } else {
    EBB_CHECK(field.format == Format::kNone);  // our kinds have no others
  }
  if (field.type == Type::kString && field.is_required) schema["minLength"] = 1;
}

json::object field_schema(const Field& field) {
  json::object value = value_schema(field);
  add_limits(field, value);
  json::object schema;
  switch (field.form) {
    case Form::kOne:
      schema = std::move(value);
      break;
    case Form::kList:
      schema = {{"type", "array"}, {"items", std::move(value)}};
      schema["x-kubernetes-list-type"] = field.merge_key.empty() ? "atomic" : "map";
      if (!field.merge_key.empty()) {
        schema["x-kubernetes-list-map-keys"] = json::array{field.merge_key};
      }
      break;
    case Form::kMap:
      schema = {{"type", "object"}, {"additionalProperties", std::move(value)}};
      break;
  }
  if (!field.default_json.empty() && !field.default_json.starts_with("\"\"")) {
    schema["default"] = json::parse(field.default_json);
  }
  return schema;
}

json::object schema_of_object(const ObjectSchema& object_schema) {
  json::object properties;
  json::array required;
  schema::for_each_field(object_schema, [&](const Field& field) {
    if (field.schema != nullptr && short_name(*field.schema) == "ObjectMeta") {
      properties["metadata"] = {{"type", "object"}};
      return;
    }
    // kind and apiVersion are not described: every object has them.
    if (field.number == 0) return;
    json::object schema = field_schema(field);
    annotate(schema::field_doc_of(object_schema, field.name),
             find_extra(short_name(object_schema), field.name), schema);
    properties[field.name] = std::move(schema);
    // Conditions are identified by their type.
    const bool is_key = short_name(object_schema) == "Condition" && field.name == "type";
    if (field.is_required || is_key) required.push_back(json::string(field.name));
  });
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  annotate(schema::field_doc_of(object_schema), find_extra(short_name(object_schema), ""), schema);
  return schema;
}

json::array columns_of(const Kind& kind) {
  json::array columns;
  for (const PrinterColumn& column : printer_columns()) {
    if (column.kind != kind.name) continue;
    json::object entry{{"name", column.name}, {"type", column.type}, {"jsonPath", column.path}};
    if (column.priority > 0) entry["priority"] = column.priority;
    columns.push_back(std::move(entry));
  }
  return columns;
}

// Plain words need no quotes; all other text has them.
std::string scalar(const json::value& value) {
  const json::string* text = value.if_string();
  if (text == nullptr) return json::serialize(value);
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./-";
  const bool is_word = !text->empty() && std::isalpha(static_cast<unsigned char>(text->front())) &&
                       text->find_first_not_of(kHarmless) == json::string::npos &&
                       *text != "True" && *text != "False";
  return is_word ? std::string(*text) : json::serialize(value);
}

bool is_nested(const json::value& value) {
  return (value.is_object() && !value.get_object().empty()) ||
         (value.is_array() && !value.get_array().empty());
}

void write(const json::value& value, std::size_t indent, std::string& out) {
  const std::string margin(indent, ' ');
  const auto write_one = [&](std::string_view head, const json::value& item, std::size_t depth) {
    if (is_nested(item)) {
      out += fmt::format("{}{}\n", margin, head);
      write(item, depth, out);
    } else {
      out += fmt::format("{}{} {}\n", margin, head, scalar(item));
    }
  };
  if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) {
      const bool is_list = member.value().is_array();
      write_one(fmt::format("{}:", std::string_view(member.key())), member.value(),
                is_list ? indent : indent + 2);
    }
    return;
  }
  for (const json::value& item : value.as_array()) {
    if (!is_nested(item)) {
      write_one("-", item, indent);
      continue;
    }
    // The first line of the item follows the dash.
    std::string text;
    write(item, indent + 2, text);
    text[indent] = '-';
    out += text;
  }
}

}  // namespace

json::object custom_resource(const Kind& kind) {
  json::object names{{"kind", kind.name},
                     {"listKind", fmt::format("{}List", kind.name)},
                     {"plural", kind.plural},
                     {"singular", kind.singular},
                     {"shortNames", word_list(kind.short_names)}};
  json::object version{{"name", kind.version}, {"served", true}, {"storage", true}};
  version["additionalPrinterColumns"] = columns_of(kind);
  if (kind.has_status) version["subresources"] = {{"status", json::object()}};
  version["schema"] = {{"openAPIV3Schema", schema_of_object(*kind.schema)}};
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata", {{"name", fmt::format("{}.{}", kind.plural, kind.group)}}},
          {"spec",
           {{"group", kind.group},
            {"scope", kind.namespaced ? "Namespaced" : "Cluster"},
            {"names", std::move(names)},
            {"versions", json::array{std::move(version)}}}}};
}

std::string to_yaml(const json::object& object) {
  std::string text;
  write(object, 0, text);
  return text;
}

std::string custom_resources_yaml() {
  std::string text =
      "# The kinds of ebb.dev, for all API servers except that of `ebb up`, which has them built "
      "in.\n"
      "# Generated from the schema table (src/schema/schemas/schemas_ebb.cc) by\n"
      "# tests/custom_resources_test.cc; EBB_UPDATE_CRDS=1 rewrites this file.\n";
  for (const Kind& kind : schema::kinds()) {
    if (!kind.custom) continue;
    text += "---\n" + to_yaml(custom_resource(kind));
  }
  return text;
}

}  // namespace ebb::support
