#include "support/objects/wire_encoder.h"

#include <boost/json/serialize.hpp>

#include "base/check.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/core/time.h"

namespace ebb::testing {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::ObjectSchema;
using schema::Type;

namespace {

constexpr unsigned kBytesType = 2;

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

std::string encode_time(std::string_view text) {
  const auto time = schema::parse_time(text);
  EBB_CHECK(time.has_value());
  std::string message;
  if (time->is_zero()) return message;
  const Nanoseconds ns = time->since_epoch_ns();
  const Nanoseconds seconds = ns / kNanosecondsPerSecond - (ns % kNanosecondsPerSecond < 0);
  append_field(message, 1, static_cast<std::uint64_t>(seconds));
  append_field(message, 2, static_cast<std::uint64_t>(ns - seconds * kNanosecondsPerSecond));
  return message;
}

void append_value(std::string& out, const Field& field, unsigned number, const json::value& value) {
  if (value.is_null()) return;
  std::string message;
  switch (field.type) {
    case Type::kBool:
      append_field(out, number, std::uint64_t{value.as_bool()});
      return;
    case Type::kInt32:
    case Type::kInt64:
      append_field(out, number, static_cast<std::uint64_t>(value.as_int64()));
      return;
    case Type::kString:
      append_field(out, number, std::string_view(value.as_string()));
      return;
    case Type::kTime:
      append_field(out, number, encode_time(value.as_string()));
      return;
    case Type::kQuantity:
      append_field(message, 1, std::string_view(value.as_string()));
      break;
    case Type::kIntOrString:
      append_field(message, 1, std::uint64_t{value.is_string()});
      if (value.is_string()) {
        append_field(message, 3, std::string_view(value.as_string()));
      } else {
        append_field(message, 2, static_cast<std::uint64_t>(value.as_int64()));
      }
      break;
    case Type::kObject:
      message = encode_message(*field.schema, value.as_object());
      break;
    default:
      append_field(message, 1, json::serialize(value));
      break;
  }
  append_field(out, number, message);
}

void append_map(std::string& out, const Field& field, const json::object& map) {
  for (const auto& [key, value] : map) {
    std::string entry;
    append_field(entry, 1, std::string_view(key));
    append_value(entry, field, 2, value);
    append_field(out, field.number, entry);
  }
}

}  // namespace

void append_field(std::string& message, unsigned number, std::string_view bytes) {
  append_varint(message, number << 3U | kBytesType);
  append_varint(message, bytes.size());
  message += bytes;
}

void append_field(std::string& message, unsigned number, std::uint64_t value) {
  append_varint(message, number << 3U);
  append_varint(message, value);
}

std::string encode_message(const ObjectSchema& schema, const json::object& object) {
  std::string out;
  for (const Field& field : schema.fields) {
    if (field.number == 0) continue;
    if (field.is_inlined) {
      if (std::string inner = encode_message(*field.schema, object); !inner.empty()) {
        append_field(out, field.number, inner);
      }
      continue;
    }
    const json::value* value = object.if_contains(field.name);
    if (value == nullptr || value->is_null()) continue;
    if (field.form == Form::kMap) {
      append_map(out, field, value->as_object());
    } else if (field.form == Form::kList) {
      for (const json::value& item : value->as_array()) {
        append_value(out, field, field.number, item);
      }
    } else {
      append_value(out, field, field.number, *value);
    }
  }
  return out;
}

std::string encode_pod(const json::object& pod) {
  return encode_message(*schema::find_kind("v1", "Pod")->schema, pod);
}

std::string encode_status(const json::object& status) {
  std::string message;
  append_field(message, 2, schema::text_at(status, {"status"}));
  append_field(message, 3, schema::text_at(status, {"message"}));
  append_field(message, 4, schema::text_at(status, {"reason"}));
  append_field(message, 6,
               static_cast<std::uint64_t>(schema::integer_at(status, {"code"}).value_or(0)));
  return message;
}

std::string in_envelope(std::string_view kind, std::string_view message) {
  std::string type;
  append_field(type, 1, std::string_view("v1"));
  append_field(type, 2, kind);
  std::string envelope("k8s\0", 4);
  append_field(envelope, 1, type);
  append_field(envelope, 2, message);
  append_field(envelope, 3, std::string_view());
  append_field(envelope, 4, std::string_view());
  return envelope;
}

std::string encode_event(const json::object& event) {
  const json::object& object = *schema::object_at(event, {"object"});
  const bool status = schema::text_at(object, {"kind"}) == "Status";
  std::string extension;
  append_field(extension, 1,
               status ? in_envelope("Status", encode_status(object))
                      : in_envelope("Pod", encode_pod(object)));
  std::string message;
  append_field(message, 1, schema::text_at(event, {"type"}));
  append_field(message, 2, extension);
  std::string frame;
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    frame += static_cast<char>(message.size() >> (shift - 8));
  }
  return frame + message;
}

std::string encode_pod_list(const json::object& list) {
  std::string metadata;
  append_field(metadata, 2, schema::text_at(list, {"metadata", "resourceVersion"}));
  append_field(metadata, 3, schema::text_at(list, {"metadata", "continue"}));
  std::string message;
  append_field(message, 1, metadata);
  for (const json::value& item : list.at("items").as_array()) {
    append_field(message, 2, encode_pod(item.as_object()));
  }
  return in_envelope("PodList", message);
}

}  // namespace ebb::testing
