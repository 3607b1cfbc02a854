// `ebb completion SHELL`: prints the script that makes a shell complete ebb's commands.
#pragma once  // private to its room

#include "cli/common/command.h"

namespace ebb::cli {

class CompletionCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "completion"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  std::string shell_;
};

}  // namespace ebb::cli
