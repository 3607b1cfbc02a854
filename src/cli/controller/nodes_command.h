// `ebb nodes`: hollow nodes, a scheduler and kubelets for any API server.
#pragma once

#include "cli/common/access_options.h"
#include "cli/common/command.h"
#include "cli/common/node_options.h"

namespace ebb::cli {

class NodesCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "nodes"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  AccessOptions access_;
  NodeOptions nodes_;
};

}  // namespace ebb::cli
