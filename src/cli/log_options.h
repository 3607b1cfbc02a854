// The options of commands that run controllers: how much they log, how, and where each scale-down
// is recorded.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/command.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class LogOptions {
 public:
  // Controllers that are a process of their own log what they do; beside a cluster that tells of
  // scale-downs itself they log warnings unless more is asked for, and no signal opens the decision
  // log anew.
  enum class Place { kOwnProcess, kBesideACluster };
  explicit LogOptions(Place place);

  void declare(CLI::App& app);
  [[nodiscard]] Result<void> apply(runtime::ControllersSettings& settings) const;
  // `option` as in Command::complete; nothing if it is none of these.
  [[nodiscard]] static Completion complete(std::string_view option);

 private:
  bool beside_a_cluster_;
  int least_verbosity_;  // and the default
  // As typed; apply() makes sense of them.
  std::string verbosity_;
  std::string format_ = "text";
  std::string decision_log_;
};

}  // namespace ebb::cli
