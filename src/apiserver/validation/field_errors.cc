#include "apiserver/validation/field_errors.h"

#include <algorithm>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace ebb::apiserver {

namespace json = boost::json;

void FieldErrors::unsupported(std::string field, std::string_view value, std::string_view choices) {
  std::vector<std::string> supported;
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find(' '), choices.size());
    supported.emplace_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  add(model::unsupported_value(std::move(field), value, supported));
}

void FieldErrors::not_found(std::string field, std::string_view value) {
  add({.reason = "FieldValueNotFound",
       .message = fmt::format("Not found: {}", value),
       .field = std::move(field)});
}

void FieldErrors::complain(const FieldPath& path, std::string_view text,
                           const schema::ErrorMessages& complaints) {
  for (const std::string& complaint : complaints) invalid(path.text(), quoted(text), complaint);
}

std::string quoted(std::string_view text) { return json::serialize(json::string(text)); }

std::string json_text(const json::value* value) {
  return value == nullptr ? "null" : json::serialize(*value);
}

std::string labels_json(const json::object* labels) {
  if (labels == nullptr) return "null";
  std::vector<std::pair<std::string_view, const json::value*>> sorted;
  for (const auto& label : *labels) sorted.emplace_back(label.key(), &label.value());
  std::sort(sorted.begin(), sorted.end());
  json::object copy;
  for (const auto& label : sorted) copy[label.first] = *label.second;
  return json::serialize(copy);
}

std::string below(const FieldPath& path, std::string_view field) {
  return FieldPath{.parent = &path, .name = field}.text();
}

std::string keyed(const FieldPath& path, std::string_view key) {
  return fmt::format("{}[{}]", path.text(), key);
}

}  // namespace ebb::apiserver
