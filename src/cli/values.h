// Values of options. Errors name the option and what would be right.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"
#include "cli/command.h"

namespace ebb::cli {

[[nodiscard]] Result<std::uint16_t> parse_port(std::string_view option, std::string_view text);
[[nodiscard]] Result<int> parse_int(std::string_view option, std::string_view text, int least);
[[nodiscard]] Result<int> parse_int(std::string_view option, std::string_view text, int least,
                                    int most);
// Not negative.
[[nodiscard]] Result<double> parse_number(std::string_view option, std::string_view text);
// 15s, 1m30s; longer than nothing.
[[nodiscard]] Result<Nanoseconds> parse_time_span(std::string_view option, std::string_view text);

// `NAME=true|false,...`, for --feature-gates.
[[nodiscard]] Completion complete_feature_gates();
[[nodiscard]] std::string feature_gates_help();

}  // namespace ebb::cli
