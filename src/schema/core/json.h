// Helpers for reading API documents held as Boost.JSON values.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace ebb::schema {

namespace json = boost::json;

using Path = std::initializer_list<std::string_view>;

// The value at a path of field names; nullptr if a step is missing or is not an object.
[[nodiscard]] const json::value* lookup(const json::object& object, Path path);
[[nodiscard]] json::value* lookup(json::object& object, Path path);

// The same by type; a value of another type counts as absent.
[[nodiscard]] const json::object* object_at(const json::object& object, Path path);
[[nodiscard]] json::object* object_at(json::object& object, Path path);
[[nodiscard]] const json::array* array_at(const json::object& object, Path path);
[[nodiscard]] json::array* array_at(json::object& object, Path path);
[[nodiscard]] std::string_view text_at(const json::object& object, Path path);
[[nodiscard]] std::optional<std::int64_t> integer_at(const json::object& object, Path path);
[[nodiscard]] bool is_true_at(const json::object& object, Path path);

// The object at a path. Missing steps, and values that are not objects, are replaced by objects.
json::object& ensure_object(json::object& object, Path path);

// The words of a space-separated list, as in the schema tables: "Deployment ReplicaSet".
[[nodiscard]] json::array word_list(std::string_view text);

}  // namespace ebb::schema
