// Answers a shell's question how a command line may go on.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace ebb::cli {

// The hidden first word with which completion scripts ask.
inline constexpr std::string_view kCompleteWord = "__complete";

// `words` is the command line after the program's name; the last word is the one
// being typed, possibly empty.
[[nodiscard]] Completion complete_words(const std::vector<std::unique_ptr<Command>>& commands,
                                        std::vector<std::string> words);

// For our own scripts: one candidate a line; `:files` at the end asks for file names too.
[[nodiscard]] std::string print_for_script(const Completion& completion);

// For kubectl, which asks a program named kubectl_complete-ebb about its plugin: one
// candidate a line, then `:4`, or `:0` for file names too.
[[nodiscard]] std::string print_for_kubectl(const Completion& completion);

}  // namespace ebb::cli
