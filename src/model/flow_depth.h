// Finds brackets that are nested too deeply before a YAML parser sees them: ours holds everything
// up to the last closing bracket, so that a text of nothing but opening ones costs it a lot.
//
// It knows just as much of YAML as it takes to be sure. Where it is not (is it text?) it counts
// less than there is, and what it overlooks the parser finds.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ebb::model {

// Where the first bracket stands that opens more than `most` levels of flow style.
[[nodiscard]] std::optional<std::size_t> find_deep_bracket(std::string_view yaml, std::size_t most);

}  // namespace ebb::model
