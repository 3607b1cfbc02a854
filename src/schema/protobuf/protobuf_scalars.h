// The types of meta/v1 that are single values in JSON and messages in protobuf.
#pragma once  // private to its room

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "schema/core/object_schema.h"

namespace ebb::schema {

// The fields of a map entry.
inline constexpr std::uint32_t kMapKey = 1;
inline constexpr std::uint32_t kMapValue = 2;

// Returns true if values of this type are messages.
[[nodiscard]] constexpr bool is_small_message(Type type) {
  return type == Type::kTime || type == Type::kMicroTime || type == Type::kQuantity ||
         type == Type::kIntOrString || type == Type::kAny;
}

// Appends the fields of the message. False if the value has the wrong type.
[[nodiscard]] bool encode_small_message(Type type, const boost::json::value& value,
                                        std::string& out);

// Decodes into `out`, which keeps its storage; null for the zero time. Returns the error, if any.
[[nodiscard]] std::optional<std::string_view> decode_small_message(Type type,
                                                                   std::string_view message,
                                                                   boost::json::value& out);

}  // namespace ebb::schema
