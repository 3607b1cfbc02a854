// The types of meta/v1 that JSON has as one value and protobuf as a message of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "schema/shape.h"

namespace ebb::schema {

// Whether values of this type are messages.
[[nodiscard]] constexpr bool is_small_message(Type type) {
  return type == Type::kTime || type == Type::kMicroTime || type == Type::kQuantity ||
         type == Type::kIntOrString || type == Type::kAny;
}

// The fields of the message are appended. False: the value is none of the type.
[[nodiscard]] bool encode_small_message(Type type, const boost::json::value& value,
                                        std::string& out);

// Into `out`, which keeps its storage; null for the zero time. What is wrong otherwise.
[[nodiscard]] std::optional<std::string_view> decode_small_message(Type type,
                                                                   std::string_view message,
                                                                   boost::json::value& out);

}  // namespace ebb::schema
