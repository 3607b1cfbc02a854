#include "schema/core/field_path.h"

#include <fmt/format.h>

namespace ebb::schema {

std::string FieldPath::text() const {
  std::string path = parent == nullptr ? std::string() : parent->text();
  if (index != kNoIndex) return path += fmt::format("[{}]", index);
  if (!path.empty() && !name.empty()) path += '.';
  return path += name;
}

std::string FieldPath::fields_only() const {
  std::string path = parent == nullptr ? std::string() : parent->fields_only();
  if (index != kNoIndex || is_map_key) return path;
  if (!path.empty() && !name.empty()) path += '.';
  return path += name;
}

}  // namespace ebb::schema
