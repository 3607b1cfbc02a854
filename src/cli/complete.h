// Answers a shell's question how a command line may go on.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace ebb::cli {

// The hidden first word with which completion scripts ask.
inline constexpr std::string_view kCompleteWord = "__complete";

// `words` is the command line after the program's name; the last word is the one
// being typed, possibly empty. One candidate a line; `:files` at the end asks for
// file names too.
[[nodiscard]] std::string complete_words(const std::vector<std::unique_ptr<Command>>& commands,
                                         std::vector<std::string> words);

}  // namespace ebb::cli
