#include "cli/app.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "cli/complete.h"
#include "cli/completion_command.h"
#include "cli/controller/controller_command.h"
#include "cli/controller/nodes_command.h"
#include "cli/controller/up_command.h"
#include "cli/help.h"
#include "cli/picker/picker_check_command.h"
#include "cli/plan/plan_command.h"
#include "cli/version_command.h"
#include "cli/webhook/webhook_command.h"
#include "model/json/printable.h"

namespace ebb::cli {
namespace {

constexpr int kBadInput = 1;
constexpr int kBadUsage = 2;

// Linked or copied under the first name, the program is a kubectl plugin, called as `kubectl ebb`;
// kubectl calls the second name to complete its command lines.
constexpr std::string_view kPlugin = "kubectl-ebb";
constexpr std::string_view kPluginCompletion = "kubectl_complete-ebb";

// kubectl accepts `-o=json`; CLI11 needs `-ojson`.
std::string joined(std::string word) {
  if (word.size() > 3 && word[0] == '-' && word[1] != '-' && word[2] == '=') word.erase(2, 1);
  return word;
}

// Errors quote the words as the user typed them.
std::vector<std::string> as_typed(std::vector<std::string> parsed,
                                  const std::vector<std::string>& typed) {
  for (std::string& word : parsed) {
    const auto same = std::find_if(typed.begin(), typed.end(),
                                   [&](const std::string& one) { return joined(one) == word; });
    if (same != typed.end()) word = *same;
  }
  return parsed;
}

// Rewrites words into forms that CLI11 accepts: `help plan` is `plan --help`, and `--now=` is
// `--now` with an empty value.
std::vector<std::string> as_parsed(std::vector<std::string> words) {
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  } else if (!words.empty() && words.front() == "--version") {
    words.front() = "version";
  }
  std::vector<std::string> result;
  for (std::string& word : words) {
    word = joined(std::move(word));
    const bool empty_value = word.starts_with("--") && word.ends_with('=');
    if (empty_value) word.pop_back();
    result.push_back(std::move(word));
    if (empty_value) result.emplace_back();
  }
  return result;
}

int report(const Streams& streams, const Error& error, const std::string& program,
           std::string_view command) {
  streams.err << "error: " << model::printable(error.message) << '\n';
  if (error.code != ErrorCode::kUsage) return kBadInput;
  streams.err << fmt::format("See '{}{}{} --help' for usage.\n", program,
                             command.empty() ? "" : " ", command);
  return kBadUsage;
}

}  // namespace

std::vector<std::unique_ptr<Command>> make_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<PlanCommand>());
  commands.push_back(std::make_unique<UpCommand>());
  commands.push_back(std::make_unique<ControllerCommand>());
  commands.push_back(std::make_unique<WebhookCommand>());
  commands.push_back(std::make_unique<PickerCheckCommand>());
  commands.push_back(std::make_unique<NodesCommand>());
  commands.push_back(std::make_unique<CompletionCommand>());
  commands.push_back(std::make_unique<VersionCommand>());
  return commands;
}

namespace {

int run_command(int argc, const char* const* argv, const Streams& streams) {
  const std::string file = std::filesystem::path(argc > 0 ? argv[0] : "").filename().string();
  const std::string program = file == kPlugin ? "kubectl ebb" : "ebb";
  const auto commands = make_commands();
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (file == kPluginCompletion) {
    streams.out << print_for_kubectl(complete_words(commands, words));
    return 0;
  }
  if (!words.empty() && words.front() == kCompleteWord) {
    streams.out << print_for_script(complete_words(commands, {words.begin() + 1, words.end()}));
    return 0;
  }

  CLI::App app;
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(0, 1);
  app.allow_extras();
  for (const auto& command : commands) {
    CLI::App* sub = app.add_subcommand(std::string(command->name()));
    sub->set_help_flag("-h,--help", "Print this help");
    sub->allow_extras();
    command->declare(*sub);
  }
  const auto chosen = [&]() -> Command* {
    for (const auto& command : commands) {
      if (app.got_subcommand(std::string(command->name()))) return command.get();
    }
    return nullptr;
  };
  const auto name_chosen = [&] {
    return chosen() == nullptr ? std::string_view() : chosen()->name();
  };
  try {
    std::vector<std::string> reversed = as_parsed(words);
    std::reverse(reversed.begin(), reversed.end());  // as CLI11 wants them
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    const Command* command = chosen();
    // After a mistyped argument of a command, show the help of that command, not of the program.
    if (const auto extras = as_typed(app.remaining(), words);
        command == nullptr && !extras.empty()) {
      return report(streams, Error{ErrorCode::kUsage, describe_extras(extras, commands, nullptr)},
                    program, {});
    }
    streams.out << (command == nullptr
                        ? program_help(program, commands)
                        : command_help(program, *command,
                                       *app.get_subcommand(std::string(command->name()))));
    return 0;
  } catch (const CLI::ParseError& error) {
    return report(streams, Error{ErrorCode::kUsage, describe_parse_error(error)}, program,
                  name_chosen());
  }
  if (const auto early = app.remaining(); !early.empty() && chosen() != nullptr) {
    const std::string problem =
        fmt::format("unexpected before the command: {}; options follow the command", early.front());
    return report(streams, Error{ErrorCode::kUsage, problem}, program, name_chosen());
  }
  if (const auto extras = as_typed(app.remaining(true), words); !extras.empty()) {
    return report(streams, Error{ErrorCode::kUsage, describe_extras(extras, commands, chosen())},
                  program, name_chosen());
  }
  Command* command = chosen();
  if (command == nullptr) {
    streams.out << program_help(program, commands);
    return 0;
  }
  const auto result = command->run(streams);
  return result ? 0 : report(streams, result.error(), program, command->name());
}

}  // namespace

int run(int argc, const char* const* argv, const Streams& streams) {
  try {
    const int code = run_command(argc, argv, streams);
    streams.out.flush();
    if (code != 0 || streams.out) return code;
    streams.err << "error: cannot write to standard output\n";
  } catch (const std::bad_alloc&) {
    streams.err << "error: out of memory\n";
  }
  return kBadInput;
}

}  // namespace ebb::cli
