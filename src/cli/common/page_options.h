// Where a command serves metrics, health and decisions, and to which clients.
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/common/command.h"
#include "runtime/controllers.h"

namespace ebb::cli {

class PageOptions {
 public:
  // Whether --tls-cert-file and --tls-private-key-file are options for these pages.
  enum class Certificate { kFromFiles, kSelfSigned };
  PageOptions(Certificate certificate, std::string metrics_port)
      : from_files_(certificate == Certificate::kFromFiles),
        metrics_port_(std::move(metrics_port)) {}

  void declare(CLI::App& app);
  [[nodiscard]] Result<void> apply(runtime::ControllersSettings& settings) const;
  // `option` as in Command::complete; the result is empty for other options.
  [[nodiscard]] static Completion complete(std::string_view option);

 private:
  bool from_files_;
  // As typed; apply() parses them.
  std::string bind_address_ = "127.0.0.1";
  std::string metrics_port_;
  std::string certificate_file_;
  std::string key_file_;
  std::string always_allow_paths_{runtime::kAlwaysAllowedByDefault};
};

}  // namespace ebb::cli
