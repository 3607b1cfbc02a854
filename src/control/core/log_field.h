// The searchable keys and values of a log line.
//
// Keys follow Kubernetes' own logs: lower camel case, `err` for errors, and objects as namespace
// and name under their kind.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace ebb::control {

struct ObjectName {
  std::string namespace_name{};  // empty: it has none
  std::string name{};
};

class Field {
 public:
  using Value = std::variant<std::string, std::int64_t, ObjectName>;

  // Keys must be string literals.
  Field(std::string_view key, std::string_view value) : key_(key), value_(std::string(value)) {}
  Field(std::string_view key, std::integral auto value)
      : key_(key), value_(static_cast<std::int64_t>(value)) {}
  Field(std::string_view key, ObjectName value) : key_(key), value_(std::move(value)) {}

  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] const Value& value() const { return value_; }

 private:
  std::string_view key_;
  Value value_;
};

}  // namespace ebb::control
