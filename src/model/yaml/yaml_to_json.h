// Converts YAML documents to JSON, so that one decoder reads both.
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

// Skips empty documents. Scalars mean what they mean to kubectl. Errors give line and column.
// Rejected are invalid YAML, duplicate keys, aliases that expand too far, deep nesting, and
// anything that JSON cannot express (merge keys, keys that are not scalars, custom tags).
// `progress`, if given, is called from time to time with the number of bytes read.
[[nodiscard]] Result<std::vector<YamlDocument>> yaml_to_json(
    std::string_view yaml, const std::function<void(std::size_t)>& progress = {});

}  // namespace ebb::model
