#include "cli/completion_command.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ebb::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string_view script;
};

// The scripts only pass the words to the program itself (`ebb __complete`). Its last line,
// `:files`, asks for file names as well. Bash splits words at `=`, so `--output=js` arrives as
// three words, which the program joins again.
constexpr std::string_view kBash = R"sh(# bash completion for ebb
_ebb_complete() {
    local current="${COMP_WORDS[COMP_CWORD]}"
    [[ "$current" == "=" ]] && current=""
    local answer
    answer="$("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" || return
    local IFS=$'\n'
    COMPREPLY=($(compgen -W "${answer%:files}" -- "$current"))
    if [[ "$answer" == *:files ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$current"))
    fi
    [[ "${COMPREPLY[0]}" == *[/=] ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _ebb_complete ebb
)sh";

constexpr std::string_view kZsh = R"sh(#compdef ebb
# zsh completion for ebb
_ebb() {
    local -a answer
    answer=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ "${answer[-1]}" == ":files" ]]; then
        answer[-1]=()
        _files
    fi
    if [[ "${answer[1]}" == *[/=] ]]; then
        compadd -S '' -- "${answer[@]}"
    else
        compadd -- "${answer[@]}"
    fi
}
compdef _ebb ebb
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for ebb
function __ebb_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c ebb -f -a '(__ebb_complete)'
)sh";

constexpr std::array kShells = {Shell{"bash", kBash}, Shell{"zsh", kZsh}, Shell{"fish", kFish}};

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

}  // namespace

const HelpText& CompletionCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Print the completion script for a shell: bash, zsh or fish",
      .long_text = "",
      .examples =
          "  # For the current bash session\n"
          "  source <({} completion bash)\n\n"
          "  # For all new zsh sessions\n"
          "  {} completion zsh > \"${fpath[1]}/_ebb\"\n\n"
          "  # For all new fish sessions\n"
          "  {} completion fish > ~/.config/fish/completions/ebb.fish",
      .usage = "SHELL"};
  return kHelp;
}

void CompletionCommand::declare(CLI::App& app) {
  app.add_option("shell", shell_, "The shell: bash, zsh or fish");
}

Result<void> CompletionCommand::run(const Streams& streams) {
  for (const Shell& shell : kShells) {
    if (shell.name != shell_) continue;
    streams.out << shell.script;
    return {};
  }
  return fail(ErrorCode::kUsage, fmt::format("expected a shell ({}), got \"{}\"",
                                             fmt::join(shell_names(), ", "), shell_));
}

Completion CompletionCommand::complete(std::string_view) const { return {shell_names(), false}; }

}  // namespace ebb::cli
