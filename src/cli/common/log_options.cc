#include "cli/common/log_options.h"

#include <fmt/format.h>

#include "cli/common/values.h"

namespace ebb::cli {

LogOptions::LogOptions(Place place)
    : beside_a_cluster_(place == Place::kBesideACluster),
      min_verbosity_(beside_a_cluster_ ? runtime::Log::kAlways : 0),
      verbosity_(std::to_string(min_verbosity_)) {}

void LogOptions::declare(CLI::App& app) {
  app.add_option(
         "-v,--v", verbosity_,
         beside_a_cluster_
             ? "The log level of the controllers, as in Kubernetes: 0 to 10; -1 for warnings only"
             : "The log level, as in Kubernetes: 0 to 10")
      ->default_str(verbosity_);
  app.add_option("--log-format", format_, "The log format: text or json")->default_str("'text'");
  app.add_option(
      "--decision-log", decision_log_,
      beside_a_cluster_
          ? "File to which a line of JSON is appended for each scale-down"
          : "File to which a line of JSON is appended for each scale-down; SIGHUP reopens it");
}

Result<void> LogOptions::apply(runtime::ControllersSettings& settings) const {
  constexpr int kMaxVerbosity = 10;
  EBB_ASSIGN_OR_RETURN(settings.log.verbosity,
                       parse_int("-v", verbosity_, min_verbosity_, kMaxVerbosity));
  if (format_ != "text" && format_ != "json") {
    return fail(ErrorCode::kUsage,
                fmt::format("--log-format: expected text or json, got \"{}\"", format_));
  }
  settings.log.json = format_ == "json";
  settings.decision_log = decision_log_;
  return {};
}

Completion LogOptions::complete(std::string_view option) {
  if (option == "--log-format") return {{"json", "text"}, false};
  return {{}, option == "--decision-log"};
}

}  // namespace ebb::cli
