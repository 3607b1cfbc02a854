// The options of `ebb up` and `ebb nodes` for nodes and the behaviour of their pods.
#pragma once

#include <istream>
#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/common/command.h"
#include "hollow/settings.h"

namespace ebb::cli {

class NodeOptions {
 public:
  void declare(CLI::App& app, const std::string& nodes_help);
  // Parses the options into `settings`.
  [[nodiscard]] Result<void> apply(hollow::Settings& settings, std::istream& in) const;
  [[nodiscard]] static Completion complete();

 private:
  std::string nodes_ = "3x2";
  std::string start_delay_;
  std::string ready_delay_;
  std::string termination_delay_;
};

}  // namespace ebb::cli
