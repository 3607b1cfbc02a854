// Edits of JSON values, shared by the patches.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

// The maximum nesting depth of objects and arrays. Values are destroyed and printed recursively, so
// no operation may make them deeper than a request's body can be.
inline constexpr std::size_t kMaxDepth = 200;

// Removes fields and keeps the order of the others. Absent fields are ignored. Takes time
// proportional to the object's size, however many fields are removed.
void erase_fields(boost::json::object& object, const std::vector<std::string_view>& names);

// The size and depth of a value: a number has depth 0, `[]` 1, `[{}]` 2.
struct Extent {
  std::size_t depth = 0;
  std::size_t values = 0;
};
[[nodiscard]] Extent extent_of(const boost::json::value& value);

}  // namespace ebb::apiserver
