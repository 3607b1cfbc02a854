// How fast a command may send requests to the API server, and in which format.
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "cli/common/command.h"
#include "control/controller/process_settings.h"

namespace ebb::cli {

class ApiLimitOptions {
 public:
  ApiLimitOptions(std::string qps, std::string burst)
      : qps_(std::move(qps)), burst_(std::move(burst)) {}

  void declare(CLI::App& app);
  [[nodiscard]] Result<void> apply(control::ProcessSettings& process) const;
  // Completes the values of --kube-api-content-type.
  [[nodiscard]] static Completion complete_content_type();

 private:
  // As typed; apply() parses them.
  std::string qps_;
  std::string burst_;
  std::string content_type_ = "application/vnd.kubernetes.protobuf";
};

}  // namespace ebb::cli
