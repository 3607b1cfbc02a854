// Parses a section of a policy, or a field of the same form, as JSON.
#pragma once

#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "control/cache/store.h"

namespace ebb::control {

// `podPicker` or `ranking` from the policy's spec; empty if it is absent.
[[nodiscard]] std::string_view section_text(const Policy& policy, std::string_view name);

// `text` is the JSON of the field named `where`.
[[nodiscard]] Result<boost::json::value> parse_section(std::string_view text,
                                                       std::string_view where);

}  // namespace ebb::control
