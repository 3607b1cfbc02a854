// Shell completion: the words that may continue a command line.
#pragma once  // private to its room

#include <string>
#include <vector>

#include "cli/common/command.h"

namespace ebb::cli {

// The hidden first argument that completion scripts pass.
inline constexpr std::string_view kCompleteWord = "__complete";

// `words` is the command line after the program's name; the last word is the one
// being typed, possibly empty.
[[nodiscard]] Completion complete_words(const std::vector<std::unique_ptr<Command>>& commands,
                                        std::vector<std::string> words);

// For ebb's own scripts: one candidate per line; a last line `:files` asks for file names too.
[[nodiscard]] std::string print_for_script(const Completion& completion);

// For kubectl, which calls a program named kubectl_complete-ebb for its plugin: one candidate per
// line, then `:4`, or `:0` for file names too.
[[nodiscard]] std::string print_for_kubectl(const Completion& completion);

}  // namespace ebb::cli
