// The parts of ebb's CustomResourceDefinitions that the schema table lacks: patterns, limits, CEL
// rules, and printer columns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::support {

// For a field of a structure, or for the structure itself if `field` is empty.
struct Extra {
  std::string_view object_schema;  // the last part of its name: HttpPicker
  std::string_view field;
  std::string schema;  // more of its schema, in JSON
};

// Empty if there is nothing to add.
[[nodiscard]] std::string_view find_extra(std::string_view object_schema, std::string_view field);

// CEL rules with their messages, as part of a schema.
[[nodiscard]] std::string rules(const std::vector<std::pair<std::string, std::string>>& all);

// A printer column; a definition has JSON paths where `ebb up` has functions.
struct PrinterColumn {
  std::string_view kind;
  std::string_view name;
  std::string_view type;
  std::string_view path;
  int priority = 0;
};

[[nodiscard]] std::span<const PrinterColumn> printer_columns();

}  // namespace ebb::support
