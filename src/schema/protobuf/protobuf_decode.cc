// Decodes protobuf to JSON. The table, which has no cycles, bounds the depth of a message.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/wire_reader.h"
#include "schema/core/field_path.h"
#include "schema/core/json.h"
#include "schema/core/utf8.h"
#include "schema/core/zero_value.h"
#include "schema/protobuf/protobuf.h"
#include "schema/protobuf/protobuf_scalars.h"

namespace ebb::schema {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

const Field* find_number(const ObjectSchema& schema, std::uint32_t number) {
  const auto found = std::find_if(schema.fields.begin(), schema.fields.end(),
                                  [&](const Field& field) { return field.number == number; });
  return found == schema.fields.end() ? nullptr : &*found;
}

// Returns true if Go treats the value like an absent one.
bool is_zero(Type type, const json::value& value) {
  if (type == Type::kAny) return value.is_null();
  switch (value.kind()) {
    case json::kind::null:
      return true;
    case json::kind::bool_:
      return !value.get_bool();
    case json::kind::int64:
      return value.get_int64() == 0;
    case json::kind::string:
      return value.get_string().empty();
    case json::kind::object:
      return value.get_object().empty();
    default:
      return false;
  }
}

// Keeps whole numbers as integers: Boost would print 3 as 3E0.
json::value number_of(double real) {
  if (std::trunc(real) == real && std::abs(real) <= kLargestExactInteger) {
    return static_cast<std::int64_t>(real);
  }
  return real;
}

class Decoder {
 public:
  // Both return false, and set a message, on errors. Repeated fields are merged: messages by field;
  // for plain values the last one counts.
  bool read_message(const ObjectSchema& schema, std::string_view message, json::object& out,
                    const FieldPath& path) {
    WireReader fields(message);
    while (fields.next()) {
      const Field* field = find_number(schema, fields.field());
      if (field == nullptr) continue;
      if (field->is_inlined) {
        if (!read_message(*field->schema, fields.bytes(), out, path)) return false;
        continue;
      }
      const FieldPath here{.parent = &path, .name = field->name};
      if (!read_field(*field, fields, out, here)) return false;
      if (!fields.ok()) return refuse(here, "has the wrong protobuf type");
    }
    return fields.ok() || refuse(path, "is truncated or not valid protobuf");
  }

  [[nodiscard]] std::string take_message() { return std::move(message_); }

 private:
  bool read_field(const Field& field, WireReader& fields, json::object& out,
                  const FieldPath& path) {
    if (field.form == Form::kMap) {
      json::value& map = out[field.name];
      if (!map.is_object()) map.emplace_object();
      return read_entry(field, fields.bytes(), map.get_object(), path);
    }
    json::value& place = out[field.name];
    if (field.form == Form::kList) {
      if (!place.is_array()) place.emplace_array();
      json::array& list = place.get_array();
      const FieldPath here{.parent = &path, .index = list.size()};
      return read_one(field, fields, list.emplace_back(nullptr), here);
    }
    if (!read_one(field, fields, place, path)) return false;
    if (!field.keeps_zero && is_zero(field.type, place)) out.stable_erase(field.name);
    return true;
  }

  bool read_entry(const Field& field, std::string_view entry, json::object& map,
                  const FieldPath& path) {
    std::string_view key;
    json::value value(map.storage());
    bool has_value = false;
    WireReader fields(entry);
    while (fields.next()) {
      if (fields.field() == kMapKey) key = fields.bytes();
      // Checked first, because errors in the value name the key.
      if (!is_utf8(key)) return refuse(path, "has a key that is not valid UTF-8");
      if (fields.field() != kMapValue) continue;
      has_value = true;
      if (!read_one(field, fields, value, {.parent = &path, .name = key})) return false;
    }
    if (!fields.ok()) return refuse(path, "is truncated or not valid protobuf");
    map[key] = has_value ? std::move(value) : zero_value(field.type);
    return true;
  }

  bool read_one(const Field& field, WireReader& fields, json::value& out, const FieldPath& path) {
    switch (field.type) {
      case Type::kBool:
        out = fields.boolean();
        return true;
      case Type::kInt32:
        out = fields.int32();
        return true;
      case Type::kInt64:
        out = static_cast<std::int64_t>(fields.number());
        return true;
      case Type::kDouble:
        return read_double(std::bit_cast<double>(fields.fixed64()), out, path);
      case Type::kString:
        if (!is_utf8(fields.bytes())) return refuse(path, "is not valid UTF-8");
        out = fields.bytes();
        return true;
      case Type::kBytes:
        out = encode_base64(fields.bytes());
        return true;
      case Type::kObject:
        if (!out.is_object()) out.emplace_object();
        return read_message(*field.schema, fields.bytes(), out.get_object(), path);
      default:
        break;
    }
    const auto problem = decode_small_message(field.type, fields.bytes(), out);
    return !problem || refuse(path, *problem);
  }

  bool read_double(double real, json::value& out, const FieldPath& path) {
    if (!std::isfinite(real)) return refuse(path, "is not a number that JSON can represent");
    out = number_of(real);
    return true;
  }

  bool refuse(const FieldPath& path, std::string_view why) {
    const std::string where = path.text();
    message_ = fmt::format("{}: {}", where.empty() ? "the message" : where, why);
    return false;
  }

  std::string message_;
};

}  // namespace

Result<json::object> decode_message(const ObjectSchema& schema, std::string_view message,
                                    json::storage_ptr storage) {
  json::object object(std::move(storage));
  Decoder decoder;
  if (!decoder.read_message(schema, message, object, FieldPath{})) {
    return fail(ErrorCode::kInvalidInput, decoder.take_message());
  }
  return object;
}

}  // namespace ebb::schema
