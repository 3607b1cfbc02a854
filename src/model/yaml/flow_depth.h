// Finds brackets that are nested too deeply before the YAML parser runs: yaml-cpp buffers
// everything up to the last closing bracket, so that a text of only opening ones is expensive.
//
// The scanner knows just enough YAML to be sure. Where it is not (inside text?) it undercounts, and
// the parser finds the rest.
#pragma once  // private to its room

#include <cstddef>
#include <optional>
#include <string_view>

namespace ebb::model {

// The position of the first bracket that opens more than `most` levels of flow style.
[[nodiscard]] std::optional<std::size_t> find_deep_bracket(std::string_view yaml, std::size_t most);

}  // namespace ebb::model
