// Help texts in kubectl's layout.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/command.h"

namespace ebb::cli {

[[nodiscard]] std::string program_help(const std::string& program,
                                       const std::vector<std::unique_ptr<Command>>& commands);
[[nodiscard]] std::string command_help(const std::string& program, const Command& command,
                                       const CLI::App& app);

// A parser's complaint in kubectl's words.
[[nodiscard]] std::string describe_parse_error(const CLI::ParseError& error);

// What to say about words that nobody expected; `command` is null if none was recognised.
[[nodiscard]] std::string describe_extras(const std::vector<std::string>& extras,
                                          const std::vector<std::unique_ptr<Command>>& commands,
                                          const Command* command);

}  // namespace ebb::cli
