// What label keys and values look like, and the words in which Kubernetes refuses others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ebb::apiserver {

// What is wrong with a text; nothing if it is valid. `example.com/role`.
[[nodiscard]] std::vector<std::string> label_key_errors(std::string_view key);
[[nodiscard]] std::vector<std::string> label_value_errors(std::string_view value);

}  // namespace ebb::apiserver
