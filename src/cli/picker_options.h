// The options about pickers of whatever runs controllers: where they may be, and how much may be
// asked of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "control/port.h"
#include "net/egress_policy.h"

namespace ebb::cli {

class PickerOptions {
 public:
  void declare(CLI::App& app);
  [[nodiscard]] Result<void> apply(net::EgressPolicy& egress, control::PickerLimits& limits) const;

 private:
  // As typed; apply() makes sense of them.
  std::vector<std::string> allow_cidrs_;
  std::vector<std::string> deny_cidrs_;
  std::vector<std::string> allow_hosts_;
  std::string calls_per_endpoint_ = "1000";
  bool during_rollouts_ = true;
};

}  // namespace ebb::cli
