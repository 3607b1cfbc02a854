// What the definitions of our kinds say beside the schema table: patterns, limits, rules in CEL,
// and columns.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::support {

// Of a field of a structure, or of the structure itself where `field` is empty.
struct Extra {
  std::string_view shape;  // the last part of its name: HttpPicker
  std::string_view field;
  std::string schema;  // more of its schema, in JSON
};

// Empty if there is nothing more.
[[nodiscard]] std::string_view find_extra(std::string_view shape, std::string_view field);

// Rules in CEL with the messages for who breaks them, as part of a schema.
[[nodiscard]] std::string rules(const std::vector<std::pair<std::string, std::string>>& all);

// A column of `kubectl get`; a definition knows paths, where `ebb up` has functions.
struct PrinterColumn {
  std::string_view kind;
  std::string_view name;
  std::string_view type;
  std::string_view path;
  int priority = 0;
};

[[nodiscard]] std::span<const PrinterColumn> printer_columns();

}  // namespace ebb::support
