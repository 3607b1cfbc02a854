// Rewords yaml-cpp's errors for the person who edits the file.
#pragma once  // private to its room

#include <string>
#include <string_view>

namespace ebb::model {

// `at_end`: the text ends where yaml-cpp stopped.
[[nodiscard]] std::string explain_yaml_error(std::string_view message, bool at_end);

}  // namespace ebb::model
