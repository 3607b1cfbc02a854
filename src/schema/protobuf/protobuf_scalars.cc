#include "schema/protobuf/protobuf_scalars.h"

#include <limits>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/wire_reader.h"
#include "base/wire_writer.h"
#include "schema/core/time.h"
#include "schema/core/utf8.h"

namespace ebb::schema {

namespace json = boost::json;

namespace {

using Problem = std::optional<std::string_view>;

constexpr std::string_view kCutOff = "is truncated or not valid protobuf";
constexpr std::string_view kNoText = "is not valid UTF-8";
constexpr std::size_t kMaxDepth = 200;  // as the API server reads JSON

// Time
constexpr unsigned kSeconds = 1;
constexpr unsigned kNanos = 2;
// Go's zero time, in the year 1, in Unix seconds.
constexpr std::int64_t kZeroSeconds = -62135596800;
// The range of Timestamp.
constexpr std::int64_t kMaxSeconds =
    std::numeric_limits<std::int64_t>::max() / kNanosecondsPerSecond;

// IntOrString
constexpr unsigned kIsText = 1;
constexpr unsigned kNumber = 2;
constexpr unsigned kText = 3;

// Quantity, RawExtension and FieldsV1
constexpr unsigned kOnly = 1;

bool encode_time(Type type, const json::value& value, std::string& out) {
  const json::string* text = value.if_string();
  if (text == nullptr) return false;
  const Result<Timestamp> time = parse_time(*text);
  if (!time) return false;
  if (time->is_zero()) return true;
  const Nanoseconds ns = time->since_epoch_ns();
  const Nanoseconds seconds = ns / kNanosecondsPerSecond - (ns % kNanosecondsPerSecond < 0);
  if (seconds >= kMaxSeconds || seconds <= -kMaxSeconds) return false;
  const Nanoseconds nanos =
      type == Type::kTime ? 0 : (ns - seconds * kNanosecondsPerSecond) / 1000 * 1000;
  append_varint_field(out, kSeconds, static_cast<std::uint64_t>(seconds));
  append_varint_field(out, kNanos, static_cast<std::uint64_t>(nanos));
  return true;
}

Problem decode_time(Type type, std::string_view message, json::value& out) {
  out = nullptr;
  if (message.empty()) return std::nullopt;
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == kSeconds) seconds = static_cast<std::int64_t>(fields.number());
    if (fields.field() == kNanos) nanos = fields.int32();
  }
  if (!fields.ok()) return kCutOff;
  if (seconds == kZeroSeconds && nanos == 0) return std::nullopt;
  if (seconds >= kMaxSeconds || seconds <= -kMaxSeconds || nanos < 0 ||
      nanos >= kNanosecondsPerSecond) {
    return "is not a time between 1678 and 2262";
  }
  std::string text = format_time(Timestamp::from_seconds(seconds));
  if (type == Type::kMicroTime) {
    text.pop_back();  // Z
    text += fmt::format(".{:06}Z", nanos / 1000);
  }
  out = text;
  return std::nullopt;
}

bool encode_int_or_string(const json::value& value, std::string& out) {
  if (const json::string* text = value.if_string()) {
    append_varint_field(out, kIsText, 1);
    append_message_field(out, kText, *text);
    return true;
  }
  const std::int64_t* number = value.if_int64();
  if (number == nullptr || *number != static_cast<std::int32_t>(*number)) return false;
  append_varint_field(out, kIsText, 0);
  append_varint_field(out, kNumber, static_cast<std::uint64_t>(*number));
  return true;
}

Problem decode_int_or_string(std::string_view message, json::value& out) {
  std::uint64_t is_text = 0;
  std::int64_t number = 0;
  std::string_view text;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == kIsText) is_text = fields.number();
    if (fields.field() == kNumber) number = fields.int32();
    if (fields.field() == kText) text = fields.bytes();
  }
  if (!fields.ok()) return kCutOff;
  if (is_text > 1) return "is neither a number nor a string";
  if (is_text == 0) {
    out = number;
    return std::nullopt;
  }
  if (!is_utf8(text)) return kNoText;
  out = text;
  return std::nullopt;
}

bool encode_quantity(const json::value& value, std::string& out) {
  if (const json::string* text = value.if_string()) {
    append_message_field(out, kOnly, *text);
    return true;
  }
  if (!value.is_int64()) return false;
  append_message_field(out, kOnly, fmt::to_string(value.get_int64()));
  return true;
}

// Reads the bytes of a message with a single field.
Problem read_only_field(std::string_view message, std::string_view& bytes) {
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == kOnly) bytes = fields.bytes();
  }
  if (!fields.ok()) return kCutOff;
  return std::nullopt;
}

Problem decode_quantity(std::string_view message, json::value& out) {
  std::string_view text;
  if (const Problem problem = read_only_field(message, text)) return problem;
  if (!is_utf8(text)) return kNoText;
  out = text.empty() ? "0" : text;
  return std::nullopt;
}

Problem decode_any(std::string_view message, json::value& out) {
  std::string_view text;
  if (const Problem problem = read_only_field(message, text)) return problem;
  out = nullptr;
  if (text.empty()) return std::nullopt;
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code error;
  out = json::parse(text, error, out.storage(), options);
  if (error) return "is not valid JSON";
  return std::nullopt;
}

}  // namespace

bool encode_small_message(Type type, const json::value& value, std::string& out) {
  switch (type) {
    case Type::kTime:
    case Type::kMicroTime:
      return encode_time(type, value, out);
    case Type::kIntOrString:
      return encode_int_or_string(value, out);
    case Type::kQuantity:
      return encode_quantity(value, out);
    default:
      append_message_field(out, kOnly, json::serialize(value));
      return true;
  }
}

Problem decode_small_message(Type type, std::string_view message, json::value& out) {
  switch (type) {
    case Type::kTime:
    case Type::kMicroTime:
      return decode_time(type, message, out);
    case Type::kIntOrString:
      return decode_int_or_string(message, out);
    case Type::kQuantity:
      return decode_quantity(message, out);
    default:
      return decode_any(message, out);
  }
}

}  // namespace ebb::schema
