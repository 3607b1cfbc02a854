// Cells that several kinds share.
#pragma once  // private to its room

#include <string>
#include <string_view>

#include "base/timestamp.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"

namespace ebb::schema {

inline constexpr std::string_view kNone = "<none>";
inline constexpr std::string_view kUnknown = "<unknown>";

// The age of an RFC 3339 time. An absent (or zero) time is `<unknown>`; a time more than a second
// in the future is `<invalid>`, because clocks may differ a little.
[[nodiscard]] std::string printed_age(std::string_view time, Timestamp now);

[[nodiscard]] inline std::string_view or_else(std::string_view text, std::string_view fallback) {
  return text.empty() ? fallback : text;
}

// The status of a condition (True, False, Unknown); empty if the condition is absent.
[[nodiscard]] std::string_view condition_status(const json::object& object, std::string_view type);

// Joins one text field of each object in a list with commas.
[[nodiscard]] std::string joined_texts(const json::array* list, std::string_view field);

json::value name_cell(const json::object& object, Timestamp now);
json::value age_cell(const json::object& object, Timestamp now);

inline constexpr PrinterColumn kNameColumn{.name = "Name",
                                           .type = "string",
                                           .format = "name",
                                           .description = "Unique within a namespace.",
                                           .cell = name_cell};
inline constexpr PrinterColumn kAgeColumn{.name = "Age",
                                          .type = "string",
                                          .description = "Time since the object was created.",
                                          .cell = age_cell};

}  // namespace ebb::schema
