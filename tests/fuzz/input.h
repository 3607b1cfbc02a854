// Helpers of the fuzz targets: the input as text, and simple JSON readers to compare the decoders
// with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace ebb::fuzz {

[[nodiscard]] inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Whether bytes are valid in JSON, in a log and in an object of the API.
[[nodiscard]] bool is_text(std::string_view bytes);

// Text in one line, without control characters.
[[nodiscard]] bool is_one_line(std::string_view text);

// The input up to the first `separator`, which is taken off together with it; all of the input if
// there is none.
[[nodiscard]] std::string_view take_until(std::string_view& input, char separator);

// The text as JSON: nested at most 500 levels, and in UTF-8. Nothing if it is anything else.
[[nodiscard]] std::optional<boost::json::value> parse_plainly(std::string_view text);

// Whether an object anywhere in the text has two members of the same name, or a name that is
// written with escapes. Decoders may read such documents in ways of their own.
[[nodiscard]] bool has_odd_names(std::string_view json);

}  // namespace ebb::fuzz
