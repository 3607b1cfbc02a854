// The logging options of commands that run controllers: verbosity, format, and the decision log.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/common/command.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class LogOptions {
 public:
  // Controllers that are a separate process log their actions. In `ebb up`, which itself prints
  // scale-downs, they log only warnings by default, and no signal reopens the decision log.
  enum class Place { kOwnProcess, kBesideACluster };
  explicit LogOptions(Place place);

  void declare(CLI::App& app);
  [[nodiscard]] Result<void> apply(runtime::ControllersSettings& settings) const;
  // `option` as in Command::complete; the result is empty for other options.
  [[nodiscard]] static Completion complete(std::string_view option);

 private:
  bool beside_a_cluster_;
  int min_verbosity_;  // and the default
  // As typed; apply() parses them.
  std::string verbosity_;
  std::string format_ = "text";
  std::string decision_log_;
};

}  // namespace ebb::cli
