// The picker options of commands that run controllers: allowed destinations, and limits for calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/common/command.h"
#include "control/controller/controller.h"
#include "net/address/egress_policy.h"

namespace ebb::cli {

class PickerOptions {
 public:
  void declare(CLI::App& app);
  [[nodiscard]] Result<void> apply(net::EgressPolicy& egress, control::PickerLimits& limits) const;
  // Completes the values of --picker-egress.
  [[nodiscard]] static Completion complete_egress();

 private:
  [[nodiscard]] Result<void> apply_hosts(net::EgressPolicy& egress) const;

  // As typed; apply() parses them.
  std::vector<std::string> allow_cidrs_;
  std::vector<std::string> deny_cidrs_;
  std::vector<std::string> allow_hosts_;
  std::vector<std::string> allow_ports_;
  std::string egress_ = "any";
  std::string cluster_domain_ = "cluster.local";
  std::string calls_per_endpoint_ = "1000";
  bool during_rollouts_ = true;
};

}  // namespace ebb::cli
