#include "cli/app.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/complete.h"
#include "cli/completion_command.h"
#include "cli/help.h"
#include "cli/plan_command.h"
#include "cli/version_command.h"

namespace ebb::cli {
namespace {

constexpr int kBadInput = 1;
constexpr int kBadUsage = 2;

// Linked or copied under these names, the program is a kubectl plugin, called as
// `kubectl ebb`, and what kubectl asks how that command line may go on.
constexpr std::string_view kPlugin = "kubectl-ebb";
constexpr std::string_view kPluginCompletion = "kubectl_complete-ebb";

int report(const Streams& streams, const Error& error, const std::string& program,
           std::string_view command) {
  streams.err << "error: " << error.message << '\n';
  if (error.code != ErrorCode::kUsage) return kBadInput;
  streams.err << fmt::format("See '{}{}{} --help' for usage.\n", program,
                             command.empty() ? "" : " ", command);
  return kBadUsage;
}

}  // namespace

std::vector<std::unique_ptr<Command>> make_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<PlanCommand>());
  commands.push_back(std::make_unique<CompletionCommand>());
  commands.push_back(std::make_unique<VersionCommand>());
  return commands;
}

int run(int argc, const char* const* argv, const Streams& streams) {
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
  for (const auto& command : commands) {
    CLI::App* sub = app.add_subcommand(std::string(command->name()));
    sub->set_help_flag("-h,--help", "Print this help");
    command->declare(*sub);
  }
  const auto chosen = [&]() -> Command* {
    for (const auto& command : commands) {
      if (app.got_subcommand(std::string(command->name()))) return command.get();
    }
    return nullptr;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const Command* command = chosen();
    streams.out << (command == nullptr
                        ? program_help(program, commands)
                        : command_help(program, *command,
                                       *app.get_subcommand(std::string(command->name()))));
    return 0;
  } catch (const CLI::ParseError& error) {
    const Command* command = chosen();
    return report(streams,
                  Error{ErrorCode::kUsage, describe_parse_error(error, command != nullptr)},
                  program, command == nullptr ? std::string_view() : command->name());
  }
  Command* command = chosen();
  if (command == nullptr) {
    streams.out << program_help(program, commands);
    return 0;
  }
  const auto result = command->run(streams);
  if (!result) return report(streams, result.error(), program, command->name());
  streams.out.flush();
  if (!streams.out) {
    return report(streams, Error{ErrorCode::kIo, "cannot write to standard output"}, program,
                  command->name());
  }
  return 0;
}

}  // namespace ebb::cli
