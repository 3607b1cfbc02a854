// YAML documents rewritten as JSON, so that one decoder reads both.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ebb::model {

struct YamlDocument {
  std::size_t offset = 0;  // of its first byte in the text
  std::string json;
};

// Empty documents are left out. Scalars mean what they mean to kubectl. Refused,
// with line and column: what is no YAML, a key that stands twice, aliases that blow
// the document up, deep nesting, and what JSON cannot say (merge keys, keys that
// are not scalars, custom tags).
// `progress`, if given, is told from time to time how many bytes were taken in.
[[nodiscard]] Result<std::vector<YamlDocument>> yaml_to_json(
    std::string_view yaml, const std::function<void(std::size_t)>& progress = {});

}  // namespace ebb::model
