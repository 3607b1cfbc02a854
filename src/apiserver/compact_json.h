// Walks through JSON text without making a tree of it. The text is without white space, as we
// and other API servers write it; what is not so ends the walk.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/raw_json.h"

namespace ebb::apiserver {

// The text between the quotes of a JSON string, with its escapes undone; nothing if it is none.
[[nodiscard]] std::optional<std::string> unescaped(std::string_view text);

// A text as a JSON string, with quotes.
void append_quoted(std::string_view text, std::string& out);

// visit(name between its quotes, text of the value) for each member of an object; it returns false
// to stop. Returns whether the text was an object to its end, and nobody stopped.
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

// The same for the entries of a list: visit(text of the value).
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
