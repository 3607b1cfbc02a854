#include "schema/core/json.h"

#include <algorithm>

namespace ebb::schema {

const json::value* lookup(const json::object& object, Path path) {
  const json::object* here = &object;
  const json::value* found = nullptr;
  for (const std::string_view step : path) {
    if (here == nullptr) return nullptr;
    found = here->if_contains(step);
    if (found == nullptr) return nullptr;
    here = found->if_object();
  }
  return found;
}

json::value* lookup(json::object& object, Path path) {
  return const_cast<json::value*>(lookup(static_cast<const json::object&>(object), path));
}

const json::object* object_at(const json::object& object, Path path) {
  const json::value* found = lookup(object, path);
  return found == nullptr ? nullptr : found->if_object();
}

json::object* object_at(json::object& object, Path path) {
  json::value* found = lookup(object, path);
  return found == nullptr ? nullptr : found->if_object();
}

const json::array* array_at(const json::object& object, Path path) {
  const json::value* found = lookup(object, path);
  return found == nullptr ? nullptr : found->if_array();
}

json::array* array_at(json::object& object, Path path) {
  json::value* found = lookup(object, path);
  return found == nullptr ? nullptr : found->if_array();
}

std::string_view text_at(const json::object& object, Path path) {
  const json::value* found = lookup(object, path);
  if (found == nullptr || !found->is_string()) return {};
  return found->get_string();
}

std::optional<std::int64_t> integer_at(const json::object& object, Path path) {
  const json::value* found = lookup(object, path);
  if (found == nullptr || !found->is_int64()) return std::nullopt;
  return found->get_int64();
}

bool is_true_at(const json::object& object, Path path) {
  const json::value* found = lookup(object, path);
  return found != nullptr && found->is_bool() && found->get_bool();
}

json::object& ensure_object(json::object& object, Path path) {
  json::object* here = &object;
  for (const std::string_view step : path) {
    json::value& next = (*here)[step];
    if (!next.is_object()) next.emplace_object();
    here = &next.get_object();
  }
  return *here;
}

json::array word_list(std::string_view text) {
  json::array list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) list.push_back(json::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

}  // namespace ebb::schema
