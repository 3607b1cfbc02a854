#include "cli/help.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ebb::cli {
namespace {

// `text` with `{}` replaced by the program's name.
std::string with_program(std::string_view text, std::string_view program) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto hole = text.find("{}", at);
    result += text.substr(at, hole - at);
    if (hole == std::string_view::npos) break;
    result += program;
    at = hole + 2;
  }
  return result;
}

// `-o, --output='table':` and the description on the next line.
std::string option_help(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("-{}, ", name);
  for (const std::string& name : option.get_lnames()) names += fmt::format("--{}", name);
  const bool takes_value = option.get_items_expected_max() > 0;
  const std::string value =
      takes_value
          ? fmt::format("={}", option.get_default_str().empty() ? "''" : option.get_default_str())
          : "";
  return fmt::format("    {}{}:\n        {}\n\n", names, value, option.get_description());
}

}  // namespace

std::string program_help(const std::string& program,
                         const std::vector<std::unique_ptr<Command>>& commands) {
  std::size_t width = 0;
  for (const auto& command : commands) width = std::max(width, command->name().size());
  std::string text = fmt::format(
      "{} decides which pods go when a Kubernetes workload is scaled down, and says why.\n\n"
      "Commands:\n",
      program);
  for (const auto& command : commands) {
    text += fmt::format("  {:<{}}   {}\n", command->name(), width, command->help().summary);
  }
  text += fmt::format(
      "\nUsage:\n  {} [command] [options]\n\n"
      "Use \"{} [command] --help\" for more information about a given command.\n",
      program, program);
  return text;
}

std::string command_help(const std::string& program, const Command& command, const CLI::App& app) {
  const HelpText& help = command.help();
  std::string text = fmt::format("{}.\n\n", help.summary);
  if (!help.long_text.empty()) text += with_program(help.long_text, program) + "\n\n";
  if (!help.examples.empty()) {
    text += fmt::format("Examples:\n{}\n\n", with_program(help.examples, program));
  }
  std::string options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional() && option->get_name() != "--help") options += option_help(*option);
  }
  if (!options.empty()) text += "Options:\n" + options;
  text += fmt::format("Usage:\n  {} {}{}{}\n", program, command.name(),
                      help.usage.empty() ? "" : " ", help.usage);
  return text;
}

std::string describe_parse_error(const CLI::ParseError& error) {
  std::string text = error.what();
  // `--namespace: 1 required TEXT missing`
  if (const auto missing = text.find(": 1 required TEXT missing"); missing != std::string::npos) {
    return fmt::format("option needs a value: {}", text.substr(0, missing));
  }
  // `Could not convert: --leader-elect = maybe`: only flags are converted here.
  constexpr std::string_view kNotConverted = "Could not convert: ";
  const auto equals = text.find(" = ");
  if (text.starts_with(kNotConverted) && equals != std::string::npos) {
    return fmt::format("{}: expected true or false, got \"{}\"",
                       text.substr(kNotConverted.size(), equals - kNotConverted.size()),
                       text.substr(equals + 3));
  }
  return text;
}

std::string describe_extras(const std::vector<std::string>& extras,
                            const std::vector<std::unique_ptr<Command>>& commands,
                            const Command* command) {
  // An unknown option explains the words that follow it, so the error names the option.
  const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
  });
  if (command != nullptr) {
    return option != extras.end() ? "unknown option: " + *option
                                  : "unexpected argument: " + extras.front();
  }
  if (option == extras.begin()) {
    return fmt::format("unknown option: {}; options follow the command", *option);
  }
  std::vector<std::string_view> names;
  for (const auto& known : commands) names.push_back(known->name());
  return fmt::format("unknown command: {}; commands are {}", extras.front(),
                     fmt::join(names, ", "));
}

}  // namespace ebb::cli
