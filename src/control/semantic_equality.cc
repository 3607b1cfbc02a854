#include "control/semantic_equality.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "schema/quantity.h"
#include "schema/same.h"
#include "schema/time.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Shape;
using schema::Type;

bool is_zero_object(const Shape& shape, const json::object& object);

// Null stands for absent everywhere.
const json::value* present(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool same_quantity(const json::value& a, const json::value& b) {
  if (!a.is_string() || !b.is_string()) return schema::same(a, b);
  if (a.get_string() == b.get_string()) return true;
  const auto left = schema::Quantity::parse(a.get_string());
  const auto right = schema::Quantity::parse(b.get_string());
  return left && right && *left == *right;
}

bool same_time(const json::value& a, const json::value& b) {
  if (!a.is_string() || !b.is_string()) return schema::same(a, b);
  if (a.get_string() == b.get_string()) return true;
  const auto left = schema::parse_time(a.get_string());
  const auto right = schema::parse_time(b.get_string());
  return left && right && *left == *right;
}

// One value of the field's type, whatever its form.
bool same_one(const Field& field, const json::value& a, const json::value& b) {
  switch (field.type) {
    case Type::kObject:
      if (!a.is_object() || !b.is_object()) return schema::same(a, b);
      return semantically_equal(*field.shape, a.get_object(), b.get_object());
    case Type::kQuantity:
      return same_quantity(a, b);
    case Type::kTime:
    case Type::kMicroTime:
      return same_time(a, b);
    default:
      return schema::same(a, b);
  }
}

// Whether this is what the decoded object holds where the field is absent.
bool is_zero(const Field& field, const json::value& value) {
  switch (field.type) {
    case Type::kBool:
      return value.is_bool() && !value.get_bool();
    case Type::kInt32:
    case Type::kInt64:
    case Type::kIntOrString:
      return value.is_int64() && value.get_int64() == 0;
    case Type::kDouble:
      return (value.is_int64() && value.get_int64() == 0) ||
             (value.is_double() && value.get_double() == 0);
    case Type::kString:
    case Type::kBytes:
      return value.is_string() && value.get_string().empty();
    case Type::kTime:
    case Type::kMicroTime: {
      if (!value.is_string()) return false;
      const auto time = schema::parse_time(value.get_string());
      return time && time->is_zero();
    }
    case Type::kQuantity: {
      if (!value.is_string()) return false;
      const auto quantity = schema::Quantity::parse(value.get_string());
      return quantity && quantity->is_zero();
    }
    case Type::kObject:
      return value.is_object() && is_zero_object(*field.shape, value.get_object());
    case Type::kAny:
      return false;
  }
  return false;
}

bool is_empty(const json::value& value) {
  return (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

// Whether the field's being absent means the same as this value. Kubernetes tells absent from
// zero only where it decodes into a pointer. Where the default is the zero value itself,
// every object that came from an API server has one or the other.
bool same_as_absent(const Field& field, const json::value& value) {
  if (field.form != Form::kOne) return is_empty(value);
  if (field.keeps_zero && field.default_json != field.zero_json()) return false;
  return is_zero(field, value);
}

bool is_zero_object(const Shape& shape, const json::object& object) {
  return std::all_of(object.begin(), object.end(), [&](const auto& member) {
    if (member.value().is_null()) return true;
    const Field* field = shape.find(member.key());
    return field != nullptr && same_as_absent(*field, member.value());
  });
}

// In a list or a map there is no absent: null decodes into a zero.
bool same_element(const Field& field, const json::value& a, const json::value& b) {
  if (a.is_null() && b.is_null()) return true;
  if (a.is_null()) return is_zero(field, b);
  if (b.is_null()) return is_zero(field, a);
  return same_one(field, a, b);
}

bool same_list(const Field& field, const json::array& a, const json::array& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [&](const json::value& x, const json::value& y) { return same_element(field, x, y); });
}

bool same_map(const Field& field, const json::object& a, const json::object& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const auto& member) {
    const json::value* other = b.if_contains(member.key());
    return other != nullptr && same_element(field, member.value(), *other);
  });
}

bool same_field(const Field& field, const json::value& a, const json::value& b) {
  if (field.form == Form::kList && a.is_array() && b.is_array()) {
    return same_list(field, a.get_array(), b.get_array());
  }
  if (field.form == Form::kMap && a.is_object() && b.is_object()) {
    return same_map(field, a.get_object(), b.get_object());
  }
  if (field.form != Form::kOne) return schema::same(a, b);
  return same_one(field, a, b);
}

bool same_member(const Shape& shape, std::string_view name, const json::value* a,
                 const json::value* b) {
  if (a == nullptr && b == nullptr) return true;
  const Field* field = shape.find(name);
  if (a != nullptr && b != nullptr) {
    return field == nullptr ? schema::same(*a, *b) : same_field(*field, *a, *b);
  }
  return field != nullptr && same_as_absent(*field, a != nullptr ? *a : *b);
}

}  // namespace

bool semantically_equal(const Shape& shape, const json::object& a, const json::object& b,
                        std::string_view left_out) {
  for (const auto& member : a) {
    const std::string_view name = member.key();
    if (name == left_out) continue;
    if (!same_member(shape, name, present(a, name), present(b, name))) return false;
  }
  for (const auto& member : b) {
    const std::string_view name = member.key();
    if (name == left_out || a.contains(name)) continue;
    if (!same_member(shape, name, nullptr, present(b, name))) return false;
  }
  return true;
}

}  // namespace ebb::control
