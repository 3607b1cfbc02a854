#include "schema/core/fast_equality.h"

#include <algorithm>

#include <boost/json/array.hpp>

namespace ebb::schema {

namespace json = boost::json;

bool fast_equal(const json::object& a, const json::object& b) {
  if (a.size() != b.size()) return false;
  const auto* beside = b.begin();
  for (const auto& member : a) {
    const json::value* other =
        beside->key() == member.key() ? &beside->value() : b.if_contains(member.key());
    ++beside;
    if (other == nullptr || !fast_equal(member.value(), *other)) return false;
  }
  return true;
}

bool fast_equal(const json::value& a, const json::value& b) {
  if (a.is_object() && b.is_object()) return fast_equal(a.get_object(), b.get_object());
  if (a.is_array() && b.is_array()) {
    const json::array& left = a.get_array();
    const json::array& right = b.get_array();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const json::value& x, const json::value& y) { return fast_equal(x, y); });
  }
  return a == b;
}

}  // namespace ebb::schema
