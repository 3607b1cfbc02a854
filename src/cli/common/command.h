// The interface of a command of the program.
#pragma once

#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace ebb::cli {

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

// A command's help texts in kubectl's layout; `{}` is replaced by the program's name.
struct HelpText {
  std::string_view summary;    // one line, for the list of commands
  std::string_view long_text;  // paragraphs below the summary
  std::string_view examples;
  std::string_view usage;  // without the program's name
};

// The words that complete an argument or an option value of a command.
struct Completion {
  std::vector<std::string> words;
  bool files = false;  // file names as well
};

class Command {
 public:
  virtual ~Command() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual const HelpText& help() const = 0;
  // Declares arguments and options.
  virtual void declare(CLI::App& app) = 0;
  // Runs after a successful parse.
  [[nodiscard]] virtual Result<void> run(const Streams& streams) = 0;
  // Completes the value of an option (`--output`), or an argument (empty).
  [[nodiscard]] virtual Completion complete(std::string_view option) const = 0;
};

// All commands, in the order of the help text.
[[nodiscard]] std::vector<std::unique_ptr<Command>> make_commands();

}  // namespace ebb::cli
