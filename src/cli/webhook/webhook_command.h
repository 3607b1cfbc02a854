// `ebb webhook`: lets the stock controllers remove the pods that ebb chooses, on any cluster.
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

class WebhookCommand : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "webhook"; }
  [[nodiscard]] const HelpText& help() const override;
  void declare(CLI::App& app) override;
  [[nodiscard]] Result<void> run(const Streams& streams) override;
  [[nodiscard]] Completion complete(std::string_view option) const override;

 private:
  // Everything that does not depend on the cluster.
  [[nodiscard]] Result<runtime::ControllersSettings> settings() const;
  [[nodiscard]] Result<control::WebhookSettings> limits() const;
  [[nodiscard]] Result<runtime::WebhookServerSettings> server() const;
  // Fills in names that depend on the namespace of this process.
  [[nodiscard]] Result<void> place(const std::string& own_namespace,
                                   runtime::ControllersSettings& settings) const;

  // As typed; run() parses them.
  AccessOptions access_;
  std::string address_ = "0.0.0.0";
  std::string port_ = "9443";
  std::string external_url_;
  std::string service_;
  std::string namespace_;
  std::string configuration_name_ = "ebb-webhook";
  std::string secret_name_ = "ebb-webhook-tls";
  std::string controller_users_;
  std::string budget_ = "2s";
  std::string fence_window_ = "5s";
  std::string certificate_file_;
  std::string key_file_;
  std::string ca_file_;
  std::string feature_gates_;
  // No limit by default: a held request waits for the writes. The API server has its own limits.
  ApiLimitOptions api_limits_{"0", "30"};
  PickerOptions pickers_;
  LogOptions log_{LogOptions::Place::kOwnProcess};
  PageOptions pages_{PageOptions::Certificate::kSelfSigned, "10281"};
};

}  // namespace ebb::cli
