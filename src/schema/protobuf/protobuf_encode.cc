// Encodes JSON to protobuf. Fields are in the order of the table, which has metadata first, so
// readers that need only metadata find it at the start.
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/wire_writer.h"
#include "schema/core/field_path.h"
#include "schema/core/json.h"
#include "schema/protobuf/protobuf.h"
#include "schema/protobuf/protobuf_scalars.h"

namespace ebb::schema {
namespace {

std::optional<double> as_double(const json::value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  return std::nullopt;
}

// Parsed numbers are signed if they fit; numbers from code may be unsigned.
std::optional<std::int64_t> as_integer(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_uint64() || value.get_uint64() > std::numeric_limits<std::int64_t>::max()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value.get_uint64());
}

class Encoder {
 public:
  void write_object(const ObjectSchema& schema, const json::object& object, const FieldPath& path) {
    const std::size_t known = write_fields(schema, object, path);
    if (known < object.size() && lost_.empty()) find_unknown(schema, object, path);
  }

  [[nodiscard]] EncodedMessage take() && { return {std::move(out_), std::move(lost_)}; }

 private:
  // Returns the number of members that the schema knows.
  std::size_t write_fields(const ObjectSchema& schema, const json::object& object,
                           const FieldPath& path) {
    std::size_t known = 0;
    for (const Field& field : schema.fields) {
      if (field.is_inlined) {
        known += write_inlined(field, object, path);
        continue;
      }
      const json::value* value = object.if_contains(field.name);
      if (value == nullptr) continue;
      ++known;
      if (field.number == 0 || value->is_null()) continue;
      write_field(field, *value, {.parent = &path, .name = field.name});
    }
    return known;
  }

  std::size_t write_inlined(const Field& field, const json::object& object, const FieldPath& path) {
    const std::size_t before = out_.size();
    const std::size_t start = begin_message(out_, field.number);
    const std::size_t known = write_fields(*field.schema, object, path);
    if (out_.size() == start) {
      out_.resize(before);
    } else {
      end_message(out_, start);
    }
    return known;
  }

  void write_field(const Field& field, const json::value& value, const FieldPath& path) {
    switch (field.form) {
      case Form::kOne:
        write_one(field, field.number, value, path);
        return;
      case Form::kList:
        if (!value.is_array()) return lose(path, "is not a list");
        for (std::size_t i = 0; i < value.get_array().size(); ++i) {
          write_one(field, field.number, value.get_array()[i], {.parent = &path, .index = i});
        }
        return;
      case Form::kMap:
        if (!value.is_object()) return lose(path, "is not a map");
        for (const json::key_value_pair& entry : value.get_object()) {
          const std::size_t start = begin_message(out_, field.number);
          append_message_field(out_, kMapKey, entry.key());
          write_one(field, kMapValue, entry.value(), {.parent = &path, .name = entry.key()});
          end_message(out_, start);
        }
        return;
    }
  }

  void write_one(const Field& field, unsigned number, const json::value& value,
                 const FieldPath& path) {
    if (value.is_null()) return write_nothing(field, number);
    if (field.type == Type::kObject || is_small_message(field.type)) {
      const std::size_t start = begin_message(out_, number);
      if (field.type != Type::kObject) {
        if (!encode_small_message(field.type, value, out_)) lose(path, "does not fit");
      } else if (const json::object* object = value.if_object()) {
        write_object(*field.schema, *object, path);
      } else {
        lose(path, "is not an object");
      }
      end_message(out_, start);
    } else if (!write_scalar(field.type, number, value)) {
      lose(path, "does not fit");
    }
  }

  // Writes null in a list or map, where it cannot mean absent: it keeps its position.
  void write_nothing(const Field& field, unsigned number) {
    if (field.form == Form::kMap) return;  // an entry without a value
    switch (field.type) {
      case Type::kBool:
      case Type::kInt32:
      case Type::kInt64:
        append_varint_field(out_, number, 0);
        return;
      case Type::kDouble:
        append_fixed64_field(out_, number, 0);
        return;
      default:
        append_message_field(out_, number, "");
    }
  }

  bool write_scalar(Type type, unsigned number, const json::value& value) {
    switch (type) {
      case Type::kBool:
        if (!value.is_bool()) return false;
        append_varint_field(out_, number, value.get_bool() ? 1 : 0);
        return true;
      case Type::kInt32:
      case Type::kInt64: {
        const std::optional<std::int64_t> wide = as_integer(value);
        if (!wide) return false;
        if (type == Type::kInt32 && *wide != static_cast<std::int32_t>(*wide)) return false;
        append_varint_field(out_, number, static_cast<std::uint64_t>(*wide));
        return true;
      }
      case Type::kDouble: {
        const std::optional<double> real = as_double(value);
        if (real) append_fixed64_field(out_, number, std::bit_cast<std::uint64_t>(*real));
        return real.has_value();
      }
      case Type::kString:
        if (!value.is_string()) return false;
        append_message_field(out_, number, value.get_string());
        return true;
      default:
        return write_bytes(number, value);
    }
  }

  bool write_bytes(unsigned number, const json::value& value) {
    if (!value.is_string()) return false;
    const std::optional<std::string> bytes = decode_base64(value.get_string());
    if (bytes) append_message_field(out_, number, *bytes);
    return bytes.has_value();
  }

  void lose(const FieldPath& path, std::string_view why) {
    if (lost_.empty()) lost_ = fmt::format("{}: {}", path.text(), why);
  }

  void find_unknown(const ObjectSchema& schema, const json::object& object, const FieldPath& path) {
    for (const json::key_value_pair& member : object) {
      if (schema.find(member.key()) == nullptr) {
        lose({.parent = &path, .name = member.key()}, "is not known");
      }
    }
  }

  std::string out_;
  std::string lost_;
};

}  // namespace

EncodedMessage encode_message(const ObjectSchema& schema, const json::object& object) {
  Encoder encoder;
  encoder.write_object(schema, object, FieldPath{});
  return std::move(encoder).take();
}

}  // namespace ebb::schema
