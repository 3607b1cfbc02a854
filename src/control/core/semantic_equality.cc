#include "control/core/semantic_equality.h"

#include <algorithm>
#include <functional>

#include <boost/container_hash/hash.hpp>
#include <boost/json/array.hpp>

#include "schema/core/fast_equality.h"
#include "schema/core/quantity.h"
#include "schema/core/time.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::Form;
using schema::ObjectSchema;
using schema::Type;

bool is_zero_object(const ObjectSchema& schema, const json::object& object);

// Null counts as absent.
const json::value* present(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool same_quantity(const json::value& a, const json::value& b) {
  if (!a.is_string() || !b.is_string()) return schema::fast_equal(a, b);
  if (a.get_string() == b.get_string()) return true;
  const auto left = schema::Quantity::parse(a.get_string());
  const auto right = schema::Quantity::parse(b.get_string());
  return left && right && *left == *right;
}

bool same_time(const json::value& a, const json::value& b) {
  if (!a.is_string() || !b.is_string()) return schema::fast_equal(a, b);
  if (a.get_string() == b.get_string()) return true;
  const auto left = schema::parse_time(a.get_string());
  const auto right = schema::parse_time(b.get_string());
  return left && right && *left == *right;
}

// Compares two single values of the field's type, in any form.
bool same_one(const schema::Field& field, const json::value& a, const json::value& b) {
  switch (field.type) {
    case Type::kObject:
      if (!a.is_object() || !b.is_object()) return schema::fast_equal(a, b);
      return semantically_equal(*field.schema, a.get_object(), b.get_object());
    case Type::kQuantity:
      return same_quantity(a, b);
    case Type::kTime:
    case Type::kMicroTime:
      return same_time(a, b);
    default:
      return schema::fast_equal(a, b);
  }
}

// Whether this is the value that the decoded object has if the field is absent.
bool is_zero(const schema::Field& field, const json::value& value) {
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
      return value.is_object() && is_zero_object(*field.schema, value.get_object());
    case Type::kAny:
      return false;
  }
  return false;
}

bool is_empty(const json::value& value) {
  return (value.is_array() && value.get_array().empty()) ||
         (value.is_object() && value.get_object().empty());
}

// Whether an absent field means the same as this value. Kubernetes distinguishes absent from zero
// only if it decodes into a pointer. If the default is the zero value itself, objects from an API
// server may have either form.
bool same_as_absent(const schema::Field& field, const json::value& value) {
  if (field.form != Form::kOne) return is_empty(value);
  if (field.keeps_zero && field.default_json != field.zero_json()) return false;
  return is_zero(field, value);
}

bool is_zero_object(const ObjectSchema& schema, const json::object& object) {
  return std::all_of(object.begin(), object.end(), [&](const auto& member) {
    if (member.value().is_null()) return true;
    const schema::Field* field = schema.find(member.key());
    return field != nullptr && same_as_absent(*field, member.value());
  });
}

// Elements of a list or map cannot be absent: null decodes to zero.
bool same_element(const schema::Field& field, const json::value& a, const json::value& b) {
  if (a.is_null() && b.is_null()) return true;
  if (a.is_null()) return is_zero(field, b);
  if (b.is_null()) return is_zero(field, a);
  return same_one(field, a, b);
}

bool same_list(const schema::Field& field, const json::array& a, const json::array& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [&](const json::value& x, const json::value& y) { return same_element(field, x, y); });
}

bool same_map(const schema::Field& field, const json::object& a, const json::object& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const auto& member) {
    const json::value* other = b.if_contains(member.key());
    return other != nullptr && same_element(field, member.value(), *other);
  });
}

bool same_field(const schema::Field& field, const json::value& a, const json::value& b) {
  if (field.form == Form::kList && a.is_array() && b.is_array()) {
    return same_list(field, a.get_array(), b.get_array());
  }
  if (field.form == Form::kMap && a.is_object() && b.is_object()) {
    return same_map(field, a.get_object(), b.get_object());
  }
  if (field.form != Form::kOne) return schema::fast_equal(a, b);
  return same_one(field, a, b);
}

bool same_member(const ObjectSchema& schema, std::string_view name, const json::value* a,
                 const json::value* b) {
  if (a == nullptr && b == nullptr) return true;
  const schema::Field* field = schema.find(name);
  if (a != nullptr && b != nullptr) {
    return field == nullptr ? schema::fast_equal(*a, *b) : same_field(*field, *a, *b);
  }
  return field != nullptr && same_as_absent(*field, a != nullptr ? *a : *b);
}

std::uint64_t hash_text(std::string_view text) { return std::hash<std::string_view>()(text); }

std::uint64_t hash_pair(std::uint64_t a, std::uint64_t b) {
  std::size_t seed = a;
  boost::hash_combine(seed, b);
  return seed;
}

// Values that are only compared literally, and that API servers do not accept anyway.
constexpr std::uint64_t kOther = 1;
constexpr std::uint64_t kZero = 2;

std::uint64_t hash_scalar(const json::value& value) {
  if (value.is_string()) return hash_text(value.get_string());
  if (value.is_int64()) return hash_pair(3, static_cast<std::uint64_t>(value.get_int64()));
  if (value.is_bool()) return value.get_bool() ? 4 : 5;
  return kOther;
}

std::uint64_t hash_one(const schema::Field& field, const json::value& value) {
  if (field.type == Type::kObject) {
    return value.is_object() ? semantic_hash(*field.schema, value.get_object()) : kOther;
  }
  if (!value.is_string()) return hash_scalar(value);
  if (field.type == Type::kQuantity) {
    if (const auto amount = schema::Quantity::parse(value.get_string())) {
      return hash_pair(static_cast<std::uint64_t>(amount->value()),
                       static_cast<std::uint64_t>(amount->milli_value()));
    }
  }
  if (field.type == Type::kTime || field.type == Type::kMicroTime) {
    if (const auto time = schema::parse_time(value.get_string())) {
      return static_cast<std::uint64_t>(time->since_epoch_ns());
    }
  }
  return hash_scalar(value);
}

std::uint64_t hash_element(const schema::Field& field, const json::value& value) {
  return value.is_null() || is_zero(field, value) ? kZero : hash_one(field, value);
}

std::uint64_t hash_field(const schema::Field& field, const json::value& value) {
  std::uint64_t hash = kOther;
  if (field.form == Form::kOne) {
    hash = hash_one(field, value);
  } else if (field.form == Form::kList && value.is_array()) {
    for (const json::value& item : value.get_array()) {
      hash = hash_pair(hash, hash_element(field, item));
    }
  } else if (field.form == Form::kMap && value.is_object()) {
    for (const auto& member : value.get_object()) {
      hash += hash_pair(hash_text(member.key()), hash_element(field, member.value()));
    }
  }
  return hash;
}

}  // namespace

bool semantically_equal(const ObjectSchema& schema, const json::object& a, const json::object& b,
                        std::string_view left_out) {
  for (const auto& member : a) {
    const std::string_view name = member.key();
    if (name == left_out) continue;
    if (!same_member(schema, name, present(a, name), present(b, name))) return false;
  }
  for (const auto& member : b) {
    const std::string_view name = member.key();
    if (name == left_out || a.contains(name)) continue;
    if (!same_member(schema, name, nullptr, present(b, name))) return false;
  }
  return true;
}

std::uint64_t semantic_hash(const ObjectSchema& schema, const json::object& object,
                            std::string_view left_out) {
  std::uint64_t sum = 0;  // the order of members does not matter
  for (const auto& member : object) {
    if (member.key() == left_out || member.value().is_null()) continue;
    const schema::Field* field = schema.find(member.key());
    if (field != nullptr && same_as_absent(*field, member.value())) continue;
    sum += hash_pair(hash_text(member.key()),
                     field == nullptr ? kOther : hash_field(*field, member.value()));
  }
  return sum;
}

}  // namespace ebb::control
