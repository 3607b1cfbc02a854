// `ebb version`: prints the version.
#pragma once  // private to its room

#include "cli/common/command.h"

namespace ebb::cli {

class VersionCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "version"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App&) override {}
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view) const override { return {}; }
};

}  // namespace ebb::cli
