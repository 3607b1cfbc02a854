// `ebb controller`: the controllers, against any Kubernetes API server.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/access_options.h"
#include "cli/command.h"
#include "cli/log_options.h"
#include "cli/picker_options.h"
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
  [[nodiscard]] Result<void> read_limits(control::ProcessSettings& process) const;
  // `by_default` is its name unless one is given.
  [[nodiscard]] Result<control::LeaseSettings> lease(std::string_view by_default) const;
  [[nodiscard]] Result<void> read_server(runtime::ControllersSettings& settings) const;

  // As typed; run() makes sense of them.
  AccessOptions access_;
  std::string controllers_ = "replicaset";
  std::string feature_gates_;
  bool leader_elect_ = true;
  std::string lease_duration_ = "15s";
  std::string renew_deadline_ = "10s";
  std::string retry_period_ = "2s";
  std::optional<std::string> lease_name_;
  std::string lease_namespace_ = "kube-system";
  std::string qps_ = "20";
  std::string burst_ = "30";
  std::string content_type_ = "application/vnd.kubernetes.protobuf";
  LogOptions log_{LogOptions::Place::kOwnProcess};
  std::string bind_address_ = "127.0.0.1";
  std::string metrics_port_ = "10280";
  std::string certificate_file_;
  std::string key_file_;
  PickerOptions pickers_;
};

}  // namespace ebb::cli
