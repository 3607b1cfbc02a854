// Edits of JSON values that patches have in common.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

// How deep objects and arrays may lie in one another. Values are destroyed and printed by
// recursion, so that nothing may make them deeper than what a request's body can be.
inline constexpr std::size_t kMostDepth = 200;

// Removes fields, keeping the order of the others. Fields that are not there are ignored.
// Takes a time proportional to the object's size however many fields go.
void erase_fields(boost::json::object& object, const std::vector<std::string_view>& names);

// What walking through a value finds: a number is 0 deep, `[]` 1, `[{}]` 2.
struct Extent {
  std::size_t depth = 0;
  std::size_t values = 0;
};
[[nodiscard]] Extent extent_of(const boost::json::value& value);

}  // namespace ebb::apiserver
