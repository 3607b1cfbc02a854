// Validates values against the schema table.
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::Field;
using schema::Form;
using schema::Format;

namespace {

constexpr std::int64_t kLowestPort = 1;

// Returns true if a word is in a space-separated list.
bool is_among(std::string_view word, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    if (words.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    words.remove_prefix(end + 1);
  }
  return false;
}

std::string bounds_text(std::int64_t low, std::int64_t high) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (low == Limits::min()) return fmt::format("must be less than or equal to {}", high);
  if (high != Limits::max()) return fmt::format("must be between {} and {}, inclusive", low, high);
  if (low == 1) return "must be greater than 0";
  return fmt::format("must be greater than or equal to {}", low);
}

void check_bounds(std::int64_t value, std::int64_t low, std::int64_t high, const FieldPath& path,
                  FieldErrors& errors) {
  if (value >= low && value <= high) return;
  errors.invalid(path.text(), fmt::format("{}", value), bounds_text(low, high));
}

schema::ErrorMessages format_errors(Format format, std::string_view text) {
  switch (format) {
    case Format::kDnsLabel:
      return schema::dns_label_errors(text);
    case Format::kDnsSubdomain:
      return schema::dns_subdomain_errors(text);
    case Format::kQualifiedName:
      return schema::qualified_name_errors(text);
    case Format::kApiVersion:
      return schema::api_version_errors(text);
    case Format::kKind:
      return schema::kind_errors(text);
    case Format::kLabelValue:
      return schema::label_value_errors(text);
    case Format::kPort:
      return schema::port_name_errors(text);
    case Format::kNone:
      break;
  }
  return {};
}

void check_text(const Field& field, std::string_view text, const FieldPath& path,
                FieldErrors& errors) {
  if (!field.choices.empty() && !is_among(text, field.choices)) {
    errors.unsupported(path.text(), quoted(text), field.choices);
  }
  errors.complain(path, text, format_errors(field.format, text));
}

void check_value(const Field& field, const json::value& value, const FieldPath& path,
                 FieldErrors& errors) {
  if (const json::object* object = value.if_object()) {
    if (field.schema == &schema::kLabelSelector) {
      check_label_selector(*object, path, errors);
    } else if (field.schema != nullptr) {
      check_schema(*field.schema, *object, path, errors);
    }
  } else if (value.is_string()) {
    check_text(field, value.get_string(), path, errors);
  } else if (value.is_int64()) {
    check_bounds(value.get_int64(), field.minimum, field.maximum, path, errors);
    if (field.format == Format::kPort) {
      check_bounds(value.get_int64(), kLowestPort, kHighestPort, path, errors);
    }
  }
}

void check_field(const Field& field, const json::value& value, const FieldPath& path,
                 FieldErrors& errors) {
  if (field.form == Form::kOne) {
    check_value(field, value, path, errors);
  } else if (const json::array* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      check_value(field, (*list)[i], FieldPath{.parent = &path, .index = i}, errors);
    }
  } else if (const json::object* map = value.if_object(); map && field.schema != nullptr) {
    for (const auto& entry : *map) {
      const FieldPath entry_path{.parent = &path, .name = entry.key(), .is_map_key = true};
      check_value(field, entry.value(), entry_path, errors);
    }
  }
}

}  // namespace

void check_schema(const schema::ObjectSchema& schema, const json::object& object,
                  const FieldPath& path, FieldErrors& errors, std::string_view skipped) {
  schema::for_each_field(schema, [&](const Field& field) {
    const json::value* value = object.if_contains(field.name);
    if (value == nullptr && !field.is_required) return;
    if (field.name == skipped) return;
    const FieldPath field_path{.parent = &path, .name = field.name};
    if (value == nullptr) {
      errors.required(field_path.text());
    } else {
      check_field(field, *value, field_path, errors);
    }
  });
}

}  // namespace ebb::apiserver
