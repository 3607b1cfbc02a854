#include "apiserver/decode/scalar.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/check.h"
#include "schema/core/quantity.h"
#include "schema/core/time.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Type;

using Problem = std::optional<ScalarProblem>;

constexpr std::string_view kZeroTime = "0001-01-01T00:00:00Z";
constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

Problem wrong_type(Type type) { return ScalarProblem{.expected_type = std::string(go_type(type))}; }
Problem wrong_value(std::string text) { return ScalarProblem{.text = std::move(text)}; }

Problem conform_integer(Type type, json::value& in, json::value& out) {
  if (!in.is_int64()) return wrong_type(type);
  const std::int64_t number = in.get_int64();
  if (type != Type::kInt64 && (number < std::numeric_limits<std::int32_t>::min() ||
                               number > std::numeric_limits<std::int32_t>::max())) {
    return wrong_type(type);
  }
  out = number;
  return std::nullopt;
}

// Keeps whole numbers as integers: Boost would print 3 as 3E0.
Problem conform_double(json::value& in, json::value& out) {
  if (!in.is_number()) return wrong_type(Type::kDouble);
  out = std::move(in);
  if (!out.is_double()) return std::nullopt;
  const double number = out.get_double();
  if (std::trunc(number) == number && std::abs(number) <= kLargestExactInteger) {
    out = static_cast<std::int64_t>(number);
  }
  return std::nullopt;
}

Problem conform_bytes(json::value& in, json::value& out) {
  if (!in.is_string()) return wrong_type(Type::kBytes);
  std::string text(in.get_string());
  if (const auto bad = canonicalise_base64(text)) {
    return wrong_value(fmt::format("illegal base64 data at input byte {}", *bad));
  }
  out = text;
  return std::nullopt;
}

// Times outside the range of Timestamp (before 1678, after 2262) are stored as written.
bool is_representable(Timestamp time) {
  return time.is_zero() ||
         (time > Timestamp::from_seconds(std::numeric_limits<std::int64_t>::min()) &&
          time < Timestamp::from_seconds(std::numeric_limits<std::int64_t>::max()));
}

std::string with_six_digits(Timestamp time) {
  if (time.is_zero()) return "0001-01-01T00:00:00.000000Z";
  std::string text = schema::format_time(time);
  text.pop_back();  // Z
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) text += '.';
  const std::size_t length = std::string_view("2026-11-01T12:00:00.123456").size();
  text.resize(length, '0');
  return text += 'Z';
}

std::string with_whole_seconds(Timestamp time) {
  std::string text = schema::format_time(time);
  if (const std::size_t dot = text.find('.'); dot != std::string::npos) {
    text.replace(dot, std::string::npos, "Z");
  }
  return text;
}

Problem conform_time(Type type, json::value& in, json::value& out) {
  if (!in.is_string()) return wrong_type(type);
  const std::string_view text = in.get_string();
  const Result<Timestamp> time = schema::parse_time(text);
  if (!time) return wrong_value(time.error().message);
  if (!is_representable(*time)) {
    out = std::move(in);
  } else {
    out = type == Type::kTime ? with_whole_seconds(*time) : with_six_digits(*time);
  }
  return std::nullopt;
}

Problem conform_quantity(json::value& in, json::value& out) {
  std::string text;
  if (in.is_string()) {
    text = std::string_view(in.get_string());
  } else if (in.is_int64()) {
    text = fmt::to_string(in.get_int64());
  } else if (in.is_uint64()) {
    text = fmt::to_string(in.get_uint64());
  } else if (in.is_double()) {
    text = fmt::to_string(in.get_double());
  } else {
    return wrong_type(Type::kQuantity);
  }
  const Result<schema::Quantity> quantity = schema::Quantity::parse(text);
  if (!quantity) return wrong_value(quantity.error().message);
  out = quantity->canonical();
  return std::nullopt;
}

Problem conform_plain(Type type, bool is_right, json::value& in, json::value& out) {
  if (!is_right) return wrong_type(type);
  out = std::move(in);
  return std::nullopt;
}

}  // namespace

Problem conform_scalar(Type type, json::value& in, json::value& out) {
  switch (type) {
    case Type::kBool:
      return conform_plain(type, in.is_bool(), in, out);
    case Type::kString:
      return conform_plain(type, in.is_string(), in, out);
    case Type::kAny:
      return conform_plain(type, true, in, out);
    case Type::kIntOrString:
      if (in.is_string()) return conform_plain(type, true, in, out);
      return conform_integer(type, in, out);
    case Type::kInt32:
    case Type::kInt64:
      return conform_integer(type, in, out);
    case Type::kDouble:
      return conform_double(in, out);
    case Type::kBytes:
      return conform_bytes(in, out);
    case Type::kTime:
    case Type::kMicroTime:
      return conform_time(type, in, out);
    case Type::kQuantity:
      return conform_quantity(in, out);
    case Type::kObject:
      break;
  }
  EBB_CHECK(false);  // an object is not a scalar
  return std::nullopt;
}

bool is_zero_scalar(Type type, const json::value& value) {
  if (type == Type::kAny || type == Type::kObject || type == Type::kQuantity) return false;
  if (type == Type::kTime || type == Type::kMicroTime) {
    return std::string_view(value.get_string())
        .starts_with(kZeroTime.substr(0, kZeroTime.size() - 1));
  }
  if (value.is_string()) return value.get_string().empty();
  if (value.is_int64()) return value.get_int64() == 0;
  return value.is_bool() && !value.get_bool();
}

std::string_view go_type(Type type) {
  switch (type) {
    case Type::kBool:
      return "bool";
    case Type::kInt32:
    case Type::kIntOrString:
      return "int32";
    case Type::kInt64:
      return "int64";
    case Type::kDouble:
      return "float64";
    case Type::kString:
    case Type::kTime:
    case Type::kMicroTime:
      return "string";
    case Type::kBytes:
      return "[]uint8";
    case Type::kQuantity:
      return "resource.Quantity";
    case Type::kObject:
      return "struct";
    case Type::kAny:
      break;
  }
  return "interface {}";
}

std::string_view json_type(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "bool";
    case json::kind::string:
      return "string";
    case json::kind::array:
      return "array";
    case json::kind::object:
      return "object";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      break;
  }
  return "number";
}

}  // namespace ebb::apiserver
