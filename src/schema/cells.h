// Cells that the tables of several kinds share.
#pragma once

#include <string>
#include <string_view>

#include "base/timestamp.h"
#include "schema/json.h"
#include "schema/kind.h"

namespace ebb::schema {

inline constexpr std::string_view kNone = "<none>";
inline constexpr std::string_view kUnknown = "<unknown>";

// How long ago a time in RFC 3339 was. No time (or the zero time) is `<unknown>`, one that
// lies ahead by more than a second `<invalid>`: clocks may differ a little.
[[nodiscard]] std::string printed_age(std::string_view time, Timestamp now);

[[nodiscard]] inline std::string_view or_else(std::string_view text, std::string_view fallback) {
  return text.empty() ? fallback : text;
}

// The status of a condition (True, False, Unknown), empty if there is none of that type.
[[nodiscard]] std::string_view condition_status(const json::object& object, std::string_view type);

// One text of each object in a list, joined by commas.
[[nodiscard]] std::string joined_texts(const json::array* list, std::string_view field);

json::value name_cell(const json::object& object, Timestamp now);
json::value age_cell(const json::object& object, Timestamp now);

inline constexpr Column kNameColumn{.name = "Name",
                                    .type = "string",
                                    .format = "name",
                                    .description = "Unique within a namespace.",
                                    .cell = name_cell};
inline constexpr Column kAgeColumn{.name = "Age",
                                   .type = "string",
                                   .description = "Time since the object was created.",
                                   .cell = age_cell};

}  // namespace ebb::schema
