// The options that say what nodes there are and how their pods behave; of `ebb up` and
// `ebb nodes`.
#pragma once

#include <istream>
#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/command.h"
#include "nodes/settings.h"

namespace ebb::cli {

class NodeOptions {
 public:
  void declare(CLI::App& app, const std::string& nodes_help);
  // Reads what was typed into the settings.
  [[nodiscard]] Result<void> apply(nodes::Settings& settings, std::istream& in) const;
  [[nodiscard]] static Completion complete();

 private:
  std::string nodes_ = "3x2";
  std::string start_delay_;
  std::string ready_delay_;
  std::string termination_delay_;
};

}  // namespace ebb::cli
