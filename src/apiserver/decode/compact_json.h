// Walks through JSON text without building a tree. The text must not contain white space, which
// holds for the output of ebb and of other API servers; any other text ends the walk.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/json/raw_json.h"

namespace ebb::apiserver {

// Returns the text between the quotes of a JSON string, unescaped; nothing if it is malformed.
[[nodiscard]] std::optional<std::string> unescaped(std::string_view text);

// Appends a text as a quoted JSON string.
void append_quoted(std::string_view text, std::string& out);

// Calls visit(name between its quotes, text of the value) for each member of an object, until visit
// returns false. Returns true if the text was a complete object and visit never returned false.
template <class Visit>
bool for_each_member(std::string_view object, Visit visit) {
  if (object == "{}") return true;
  if (!object.starts_with("{\"")) return false;
  std::size_t at = 1;
  while (at < object.size() && object[at] == '"') {
    const std::size_t name_end = model::end_of_value(object, at);
    if (name_end == std::string_view::npos || name_end >= object.size() ||
        object[name_end] != ':') {
      return false;
    }
    const std::size_t end = model::end_of_value(object, name_end + 1);
    if (end == std::string_view::npos || end >= object.size()) return false;
    const std::string_view name = object.substr(at + 1, name_end - at - 2);
    if (!visit(name, object.substr(name_end + 1, end - name_end - 1))) return false;
    if (object[end] == '}') return end + 1 == object.size();
    if (object[end] != ',') return false;
    at = end + 1;
  }
  return false;
}

// The same for the entries of a list, with visit(text of the value).
template <class Visit>
bool for_each_entry(std::string_view list, Visit visit) {
  if (list == "[]") return true;
  if (!list.starts_with('[')) return false;
  std::size_t at = 1;
  while (at < list.size()) {
    const std::size_t end = model::end_of_value(list, at);
    if (end == std::string_view::npos || end >= list.size() || end == at) return false;
    if (!visit(list.substr(at, end - at))) return false;
    if (list[end] == ']') return end + 1 == list.size();
    if (list[end] != ',') return false;
    at = end + 1;
  }
  return false;
}

}  // namespace ebb::apiserver
