// Help texts in kubectl's layout.
#pragma once  // private to its room

#include <string>

#include <CLI/CLI.hpp>

#include "cli/common/command.h"

namespace ebb::cli {

[[nodiscard]] std::string program_help(const std::string& program,
                                       const std::vector<std::unique_ptr<Command>>& commands);
[[nodiscard]] std::string command_help(const std::string& program, const Command& command,
                                       const CLI::App& app);

// Describes a parse error in kubectl's words.
[[nodiscard]] std::string describe_parse_error(const CLI::ParseError& error);

// Describes unexpected words; `command` is null if none was recognized.
[[nodiscard]] std::string describe_extras(const std::vector<std::string>& extras,
                                          const std::vector<std::unique_ptr<Command>>& commands,
                                          const Command* command);

}  // namespace ebb::cli
