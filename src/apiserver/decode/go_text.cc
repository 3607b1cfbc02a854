#include "apiserver/decode/go_text.h"

#include <algorithm>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

constexpr std::size_t kLongest = 10'000;

void print(const json::value& value, std::string& text);

void print_map(const json::object& object, std::string& text) {
  std::vector<std::string_view> names;
  names.reserve(object.size());
  for (const auto& field : object) names.push_back(field.key());
  std::sort(names.begin(), names.end());
  text += "map[";
  for (const std::string_view name : names) {
    if (text.size() > kLongest) break;
    if (name != names.front()) text += ' ';
    text.append(name).append(":");
    print(object.at(name), text);
  }
  text += ']';
}

void print_list(const json::array& array, std::string& text) {
  text += '[';
  for (std::size_t i = 0; i < array.size() && text.size() <= kLongest; ++i) {
    if (i > 0) text += ' ';
    print(array[i], text);
  }
  text += ']';
}

void print(const json::value& value, std::string& text) {
  if (const json::object* object = value.if_object()) return print_map(*object, text);
  if (const json::array* array = value.if_array()) return print_list(*array, text);
  if (const json::string* string = value.if_string()) {
    text.append(string->data(), string->size());
  } else if (value.is_null()) {
    text += "<nil>";
  } else {
    text += json::serialize(value);
  }
}

}  // namespace

std::string go_text(const json::value& value) {
  std::string text;
  print(value, text);
  return text;
}

std::string_view go_type(json::kind kind) {
  switch (kind) {
    case json::kind::object:
      return "map[string]interface {}";
    case json::kind::array:
      return "[]interface {}";
    case json::kind::string:
      return "string";
    case json::kind::bool_:
      return "bool";
    case json::kind::double_:
      return "float64";
    case json::kind::int64:
    case json::kind::uint64:
      return "int64";
    case json::kind::null:
      break;
  }
  return "<nil>";
}

}  // namespace ebb::apiserver
