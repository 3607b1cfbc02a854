// `ebb controller`: runs the controllers against any Kubernetes API server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/common/access_options.h"
#include "cli/common/api_limit_options.h"
#include "cli/common/command.h"
#include "cli/common/log_options.h"
#include "cli/common/page_options.h"
#include "cli/common/picker_options.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class ControllerCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "controller"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  [[nodiscard]] Result<runtime::ControllersSettings> settings() const;
  // `by_default` is the lease's name if the options give none.
  [[nodiscard]] Result<control::LeaseSettings> lease(std::string_view by_default) const;
  // Returns nothing if the guard is switched off, or if there is nothing to guard.
  [[nodiscard]] Result<std::optional<control::SoleControllerOptions>> guard(
      const control::ProcessSettings& process, const control::LeaseSettings& lease) const;

  // As typed; run() parses them.
  AccessOptions access_;
  std::optional<std::string> controllers_;
  bool assume_sole_controller_ = false;
  std::string take_over_wait_ = "60s";
  std::string feature_gates_;
  bool leader_elect_ = true;
  std::string lease_duration_ = "15s";
  std::string renew_deadline_ = "10s";
  std::string retry_period_ = "2s";
  std::string start_wait_ = "5s";
  std::optional<std::string> lease_name_;
  std::string lease_namespace_ = "kube-system";
  ApiLimitOptions limits_{"20", "30"};
  LogOptions log_{LogOptions::Place::kOwnProcess};
  PageOptions pages_{PageOptions::Certificate::kFromFiles, "10280"};
  PickerOptions pickers_;
};

}  // namespace ebb::cli
