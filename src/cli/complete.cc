#include "cli/complete.h"

#include <algorithm>

#include <fmt/format.h>

namespace ebb::cli {
namespace {

// Bash splits `--output=js` into `--output`, `=` and `js`.
std::vector<std::string> join_assignments(std::vector<std::string> words) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "=" && !joined.empty() && joined.back().starts_with("--")) {
      joined.back() += '=';
      if (i + 1 < words.size()) joined.back() += words[++i];
    } else {
      joined.push_back(std::move(words[i]));
    }
  }
  return joined;
}

// The words of a completion that start with `typed`, each with `prefix` before it.
Completion narrow(const Completion& all, std::string_view typed, std::string_view prefix = "") {
  Completion result{{}, all.files};
  for (const std::string& word : all.words) {
    if (word.starts_with(typed)) result.words.push_back(fmt::format("{}{}", prefix, word));
  }
  return result;
}

std::string join_lines(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + '\n';
  return text;
}

Completion command_names(const std::vector<std::unique_ptr<Command>>& commands) {
  Completion completion;
  for (const auto& command : commands) completion.words.emplace_back(command->name());
  return completion;
}

Completion option_names(const CLI::App& app) {
  Completion completion;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) completion.words.push_back("--" + name);
  }
  return completion;
}

bool takes_value(const CLI::App& app, const std::string& word) {
  const CLI::Option* option = app.get_option_no_throw(word);
  return option != nullptr && option->nonpositional() && option->get_items_expected_max() > 0;
}

// `-o` and `--output` are the same option; commands know the long name.
std::string long_name(const CLI::App& app, const std::string& word) {
  const auto names = app.get_option(word)->get_lnames();
  return names.empty() ? word : "--" + names.front();
}

}  // namespace

Completion complete_words(const std::vector<std::unique_ptr<Command>>& commands,
                          std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  // Only bash splits at `=`; there the shell completes the part after it alone.
  const bool split = std::find(words.begin(), words.end(), "=") != words.end();
  words = join_assignments(std::move(words));
  const std::string typed = words.back();
  if (words.size() == 1) return narrow(command_names(commands), typed);

  const auto command = std::find_if(commands.begin(), commands.end(), [&](const auto& candidate) {
    return candidate->name() == words.front();
  });
  if (command == commands.end()) return {};
  CLI::App app;
  app.set_help_flag("--help", "");
  (*command)->declare(app);

  if (const auto equals = typed.find('='); typed.starts_with("--") && equals != std::string::npos) {
    const std::string name = typed.substr(0, equals);
    if (!takes_value(app, name)) return {};
    return narrow((*command)->complete(name), typed.substr(equals + 1), split ? "" : name + "=");
  }
  const std::string& previous = words[words.size() - 2];
  if (previous.starts_with('-') && takes_value(app, previous)) {
    return narrow((*command)->complete(long_name(app, previous)), typed);
  }
  if (typed.starts_with('-')) return narrow(option_names(app), typed);
  return narrow((*command)->complete(""), typed);
}

std::string print_for_script(const Completion& completion) {
  return join_lines(completion.words) + (completion.files ? ":files\n" : "");
}

std::string print_for_kubectl(const Completion& completion) {
  return join_lines(completion.words) + (completion.files ? ":0\n" : ":4\n");
}

}  // namespace ebb::cli
