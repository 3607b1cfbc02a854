#include "apiserver/patch/json_edit.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <boost/json/array.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

void erase_fields(json::object& object, const std::vector<std::string_view>& names) {
  // Each stable_erase moves all later fields; above this number, building a new object is cheaper.
  constexpr std::size_t kFew = 8;
  if (names.size() <= kFew) {
    for (const std::string_view name : names) {
      if (const auto found = object.find(name); found != object.end()) object.stable_erase(found);
    }
    return;
  }
  const std::unordered_set<std::string_view> gone(names.begin(), names.end());
  json::object kept(object.storage());
  kept.reserve(object.size());
  for (auto& field : object) {
    if (!gone.contains(field.key())) kept.emplace(field.key(), std::move(field.value()));
  }
  object = std::move(kept);
}

Extent extent_of(const json::value& value) {
  Extent extent;
  std::vector<std::pair<const json::value*, std::size_t>> open{{&value, 0}};
  while (!open.empty()) {
    const auto [here, outside] = open.back();
    open.pop_back();
    ++extent.values;
    if (!here->is_structured()) continue;
    const std::size_t depth = outside + 1;
    extent.depth = std::max(extent.depth, depth);
    if (const json::array* array = here->if_array()) {
      for (const json::value& entry : *array) open.emplace_back(&entry, depth);
    } else {
      for (const auto& field : here->get_object()) open.emplace_back(&field.value(), depth);
    }
  }
  return extent;
}

}  // namespace ebb::apiserver
