// `ebb plan`: what a scale-down would remove, and why.
#pragma once

#include "cli/command.h"

namespace ebb::cli {

class PlanCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "plan"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  // As typed; run() makes sense of them.
  std::string target_;
  std::string replicas_;
  std::string name_space_ = "default";
  std::vector<std::string> files_;
  std::string now_;
  std::string feature_gates_;
  std::string picker_answer_;
  std::string output_ = "table";
};

}  // namespace ebb::cli
