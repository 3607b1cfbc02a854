// Parses option values. Errors name the option and the expected value.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"
#include "cli/common/command.h"

namespace ebb::cli {

[[nodiscard]] Result<std::uint16_t> parse_port(std::string_view option, std::string_view text);
[[nodiscard]] Result<int> parse_int(std::string_view option, std::string_view text, int least);
[[nodiscard]] Result<int> parse_int(std::string_view option, std::string_view text, int least,
                                    int most);
// A number of 0 or more.
[[nodiscard]] Result<double> parse_number(std::string_view option, std::string_view text);
// A positive duration such as 15s or 1m30s.
[[nodiscard]] Result<Nanoseconds> parse_time_span(std::string_view option, std::string_view text);

// `NAME=true|false,...`, for --feature-gates.
[[nodiscard]] Completion complete_feature_gates();
[[nodiscard]] std::string feature_gates_help();

}  // namespace ebb::cli
