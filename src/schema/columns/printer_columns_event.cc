#include <algorithm>

#include <fmt/format.h>

#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"

namespace ebb::schema {
namespace {

bool is_time(std::string_view text) { return !text.empty() && text != "0001-01-01T00:00:00Z"; }

// Events in the old format have firstTimestamp and lastTimestamp, newer ones eventTime and series.
std::string_view first_time(const json::object& event) {
  const std::string_view first = text_at(event, {"firstTimestamp"});
  return is_time(first) ? first : text_at(event, {"eventTime"});
}

std::string_view last_time(const json::object& event) {
  if (object_at(event, {"series"}) != nullptr)
    return text_at(event, {"series", "lastObservedTime"});
  const std::string_view last = text_at(event, {"lastTimestamp"});
  return is_time(last) ? last : first_time(event);
}

json::value last_seen_cell(const json::object& event, Timestamp now) {
  return json::value(printed_age(last_time(event), now));
}

json::value first_seen_cell(const json::object& event, Timestamp now) {
  return json::value(printed_age(first_time(event), now));
}

json::value event_type_cell(const json::object& event, Timestamp /*now*/) {
  return json::value(text_at(event, {"type"}));
}

json::value reason_cell(const json::object& event, Timestamp /*now*/) {
  return json::value(text_at(event, {"reason"}));
}

// pod/web-1
json::value object_cell(const json::object& event, Timestamp /*now*/) {
  std::string text(text_at(event, {"involvedObject", "kind"}));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const std::string_view name = text_at(event, {"involvedObject", "name"});
  if (!name.empty()) text += fmt::format("/{}", name);
  return json::value(text);
}

json::value subobject_cell(const json::object& event, Timestamp /*now*/) {
  return json::value(text_at(event, {"involvedObject", "fieldPath"}));
}

json::value source_cell(const json::object& event, Timestamp /*now*/) {
  const std::string_view component =
      or_else(text_at(event, {"source", "component"}), text_at(event, {"reportingComponent"}));
  const std::string_view instance =
      or_else(text_at(event, {"source", "host"}), text_at(event, {"reportingInstance"}));
  if (instance.empty()) return json::value(component);
  return json::value(fmt::format("{}, {}", component, instance));
}

json::value message_cell(const json::object& event, Timestamp /*now*/) {
  constexpr std::string_view kBlank = " \t\n\v\f\r";
  std::string_view text = text_at(event, {"message"});
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return json::value("");
  text = text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
  return json::value(text);
}

json::value count_cell(const json::object& event, Timestamp /*now*/) {
  if (object_at(event, {"series"}) != nullptr) {
    return integer_at(event, {"series", "count"}).value_or(0);
  }
  // In the newer format, events that happened once have no count.
  const std::int64_t count = integer_at(event, {"count"}).value_or(0);
  return count == 0 ? 1 : count;
}

constexpr PrinterColumn kEventColumns[] = {
    {"Last Seen", "string", "", 0, "Time since the last occurrence.", last_seen_cell},
    {"Type", "string", "", 0, "Normal or Warning.", event_type_cell},
    {"Reason", "string", "", 0, "The reason, in one word.", reason_cell},
    {"Object", "string", "", 0, "The object that the event is about.", object_cell},
    {"Subobject", "string", "", 1, "The part of the object.", subobject_cell},
    {"Source", "string", "", 1, "The component that reported the event.", source_cell},
    {"Message", "string", "", 0, "What happened, in a sentence.", message_cell},
    {"First Seen", "string", "", 1, "Time since the first occurrence.", first_seen_cell},
    {"Count", "string", "", 1, "The number of occurrences.", count_cell},
    {"Name", "string", "name", 1, "Unique within a namespace.", name_cell},
};

}  // namespace

std::span<const PrinterColumn> event_columns() { return kEventColumns; }

}  // namespace ebb::schema
