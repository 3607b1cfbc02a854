// JSON pointers (RFC 6901): `/spec/containers/0/image`. `~1` is an escaped slash, `~0` an escaped
// tilde; the empty pointer is the whole document.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

namespace ebb::apiserver {

// The steps from the root down.
using Pointer = std::vector<std::string>;

// Nothing if the text is not a pointer.
[[nodiscard]] std::optional<Pointer> parse_pointer(std::string_view text);

// A step as an array index: digits without leading zeros.
[[nodiscard]] std::optional<std::size_t> parse_index(std::string_view step);

// Returns the value at the end of the steps, or nullptr. `-`, the position after the last entry,
// has no value.
[[nodiscard]] boost::json::value* resolve(boost::json::value& document,
                                          std::span<const std::string> steps);

}  // namespace ebb::apiserver
