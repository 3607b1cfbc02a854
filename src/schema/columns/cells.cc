#include "schema/columns/cells.h"

#include "schema/core/time.h"

namespace ebb::schema {

std::string printed_age(std::string_view time, Timestamp now) {
  const auto parsed = parse_time(time);
  if (!parsed || parsed->is_zero()) return std::string(kUnknown);
  const Nanoseconds age_ns = elapsed_ns(*parsed, now);
  if (age_ns <= -2 * kNanosecondsPerSecond) return "<invalid>";
  return format_age(age_ns);
}

std::string_view condition_status(const json::object& object, std::string_view type) {
  const json::array* conditions = array_at(object, {"status", "conditions"});
  if (conditions == nullptr) return {};
  for (const json::value& one : *conditions) {
    const json::object* condition = one.if_object();
    if (condition != nullptr && text_at(*condition, {"type"}) == type) {
      return text_at(*condition, {"status"});
    }
  }
  return {};
}

std::string joined_texts(const json::array* list, std::string_view field) {
  std::string text;
  if (list == nullptr) return text;
  bool first = true;
  for (const json::value& one : *list) {
    if (!first) text += ',';
    first = false;
    if (const json::object* object = one.if_object()) text += text_at(*object, {field});
  }
  return text;
}

json::value name_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(text_at(object, {"metadata", "name"}));
}

json::value age_cell(const json::object& object, Timestamp now) {
  return json::value(printed_age(text_at(object, {"metadata", "creationTimestamp"}), now));
}

}  // namespace ebb::schema
