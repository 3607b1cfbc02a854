#include "cli/common/api_limit_options.h"

#include <fmt/format.h>

#include "cli/common/values.h"

namespace ebb::cli {
namespace {

constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr std::string_view kJson = "application/json";

}  // namespace

void ApiLimitOptions::declare(CLI::App& app) {
  app.add_option("--kube-api-qps", qps_, "Requests per second to the API server; 0 for no limit")
      ->default_str(qps_);
  app.add_option("--kube-api-burst", burst_,
                 "The number of requests that may exceed that rate at once")
      ->default_str(burst_);
  app.add_option("--kube-api-content-type", content_type_,
                 "The format in which pods are read and created: protobuf or application/json")
      ->default_str("'application/vnd.kubernetes.protobuf'");
}

Result<void> ApiLimitOptions::apply(control::ProcessSettings& process) const {
  EBB_ASSIGN_OR_RETURN(process.qps, parse_number("--kube-api-qps", qps_));
  EBB_ASSIGN_OR_RETURN(process.burst, parse_int("--kube-api-burst", burst_, 1));
  if (content_type_ != kProtobuf && content_type_ != kJson) {
    return fail(ErrorCode::kUsage, fmt::format("--kube-api-content-type: expected {} or {}, got "
                                               "\"{}\"",
                                               kProtobuf, kJson, content_type_));
  }
  process.protobuf = content_type_ == kProtobuf;
  return {};
}

Completion ApiLimitOptions::complete_content_type() {
  return {{std::string(kJson), std::string(kProtobuf)}, false};
}

}  // namespace ebb::cli
