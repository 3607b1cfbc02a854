#include "cli/log_options.h"

#include <fmt/format.h>

#include "cli/values.h"

namespace ebb::cli {

LogOptions::LogOptions(Place place)
    : beside_a_cluster_(place == Place::kBesideACluster),
      least_verbosity_(beside_a_cluster_ ? runtime::Log::kAlways : 0),
      verbosity_(std::to_string(least_verbosity_)) {}

void LogOptions::declare(CLI::App& app) {
  app.add_option("-v,--v", verbosity_,
                 beside_a_cluster_ ? "How much the controllers log, as in Kubernetes: 0 to 10; "
                                     "-1: warnings only"
                                   : "How much is logged, as in Kubernetes: 0 to 10")
      ->default_str(verbosity_);
  app.add_option("--log-format", format_, "How it is logged: text or json")->default_str("'text'");
  app.add_option("--decision-log", decision_log_,
                 beside_a_cluster_
                     ? "File to add a line of JSON to for each scale-down"
                     : "File to add a line of JSON to for each scale-down; SIGHUP opens it anew");
}

Result<void> LogOptions::apply(runtime::ControllersSettings& settings) const {
  constexpr int kMostVerbosity = 10;
  auto verbosity = parse_int("-v", verbosity_, least_verbosity_, kMostVerbosity);
  if (!verbosity) return propagate(verbosity);
  settings.log.verbosity = *verbosity;
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
