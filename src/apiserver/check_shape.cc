// What the schema table says about values.
#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/shapes_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::Field;
using schema::Form;
using schema::Format;

namespace {

constexpr std::int64_t kLowestPort = 1;
constexpr std::int64_t kHighestPort = 65535;

// Whether a word is among words separated by spaces.
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
                  Findings& findings) {
  if (value >= low && value <= high) return;
  findings.invalid(path.text(), fmt::format("{}", value), bounds_text(low, high));
}

schema::Complaints format_complaints(Format format, std::string_view text) {
  switch (format) {
    case Format::kDnsLabel:
      return schema::dns_label_complaints(text);
    case Format::kDnsSubdomain:
      return schema::dns_subdomain_complaints(text);
    case Format::kQualifiedName:
      return schema::qualified_name_complaints(text);
    case Format::kLabelValue:
      return schema::label_value_complaints(text);
    case Format::kPort:
      return schema::port_name_complaints(text);
    case Format::kNone:
      break;
  }
  return {};
}

void check_text(const Field& field, std::string_view text, const FieldPath& path,
                Findings& findings) {
  if (!field.choices.empty() && !is_among(text, field.choices)) {
    findings.unsupported(path.text(), quoted(text), field.choices);
  }
  findings.complain(path, text, format_complaints(field.format, text));
}

void check_value(const Field& field, const json::value& value, const FieldPath& path,
                 Findings& findings) {
  if (const json::object* object = value.if_object()) {
    if (field.shape == &schema::kLabelSelector) {
      check_label_selector(*object, path, findings);
    } else if (field.shape != nullptr) {
      check_shape(*field.shape, *object, path, findings);
    }
  } else if (value.is_string()) {
    check_text(field, value.get_string(), path, findings);
  } else if (value.is_int64()) {
    check_bounds(value.get_int64(), field.minimum, field.maximum, path, findings);
    if (field.format == Format::kPort) {
      check_bounds(value.get_int64(), kLowestPort, kHighestPort, path, findings);
    }
  }
}

void check_field(const Field& field, const json::value& value, const FieldPath& path,
                 Findings& findings) {
  if (field.form == Form::kOne) {
    check_value(field, value, path, findings);
  } else if (const json::array* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      check_value(field, (*list)[i], FieldPath{.parent = &path, .index = i}, findings);
    }
  } else if (const json::object* map = value.if_object(); map && field.shape != nullptr) {
    for (const auto& entry : *map) {
      const FieldPath entry_path{.parent = &path, .name = entry.key(), .is_map_key = true};
      check_value(field, entry.value(), entry_path, findings);
    }
  }
}

}  // namespace

void check_shape(const schema::Shape& shape, const json::object& object, const FieldPath& path,
                 Findings& findings, std::string_view skipped) {
  schema::for_each_field(shape, [&](const Field& field) {
    const json::value* value = object.if_contains(field.name);
    if (value == nullptr && !field.is_required) return;
    if (field.name == skipped) return;
    const FieldPath field_path{.parent = &path, .name = field.name};
    if (value == nullptr) {
      findings.required(field_path.text());
    } else {
      check_field(field, *value, field_path, findings);
    }
  });
}

}  // namespace ebb::apiserver
