// JSON pointers (RFC 6901): `/spec/containers/0/image`. `~1` stands for a slash, `~0` for
// a tilde; the empty pointer means the whole document.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

namespace ebb::apiserver {

// The steps from the document down.
using Pointer = std::vector<std::string>;

// Nothing if the text is no pointer.
[[nodiscard]] std::optional<Pointer> parse_pointer(std::string_view text);

// A step as index into an array: digits, without leading zeros.
[[nodiscard]] std::optional<std::size_t> parse_index(std::string_view step);

// What the steps lead to, or nullptr. `-`, the place behind the last entry, leads nowhere.
[[nodiscard]] boost::json::value* resolve(boost::json::value& document,
                                          std::span<const std::string> steps);

}  // namespace ebb::apiserver
