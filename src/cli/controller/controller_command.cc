#include "cli/controller/controller_command.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "cli/common/controller_names.h"
#include "cli/common/identity.h"
#include "cli/common/run_controllers.h"
#include "cli/common/values.h"
#include "cli/controller/controller_choices.h"
#include "control/lease/elector.h"
#include "hollow/duration.h"
#include "model/records/feature_gates.h"
#include "schema/core/name_rules.h"

namespace ebb::cli {
namespace {

// A stock controller that is not overloaded acknowledges a canary within this time.
constexpr Nanoseconds kMinTakeOverWaitNs = 10 * kNanosecondsPerSecond;

ChosenControllers controllers_of(const control::ProcessSettings& process) {
  return {.replica_sets = process.replica_sets,
          .deployments = process.deployments,
          .ranker = process.ranker,
          .shadow = process.shadow};
}

// What the operator has to switch off; empty if nothing.
std::string off_switch(const control::ProcessSettings& process) {
  if (!process.replica_sets && !process.deployments) return {};
  std::string text = process.sole_controller ? "; ebb acts only while the stock controllers are off"
                                             : "; ebb assumes that the stock controllers are off";
  text += ": kube-controller-manager --controllers=*";
  if (process.replica_sets) text += ",-replicaset-controller";
  if (process.deployments) text += ",-deployment-controller";
  return text;
}

// Why the process could not start; the API server's answer names the missing right.
std::string missing_right(const runtime::Controllers& controllers) {
  std::string text = "cannot verify that no other controller acts";
  for (const control::GuardStatus& status : controllers.guard_statuses()) {
    if (status.state != control::GuardState::kForbidden) continue;
    text += fmt::format("; {}: {}", status.controller, status.reason);
    if (!status.remedy.empty()) text += "; " + status.remedy;
  }
  return text;
}

}  // namespace

const HelpText& ControllerCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Run the controllers on a Kubernetes cluster, in place of the stock ones",
      .long_text =
          " The ReplicaSet controller creates and deletes pods, in the order that plan shows. The\n"
          " Deployment controller rolls out Deployments. Each replaces its counterpart in\n"
          " kube-controller-manager, and acts only while that one is switched off:\n"
          "   kube-controller-manager --controllers=*,-replicaset-controller\n"
          " ebb verifies this with a canary: a ReplicaSet (or Deployment) with 0 replicas beside "
          "its\n"
          " lease, which any other controller acknowledges. Until ebb acts, /readyz and the log "
          "say\n"
          " why. The ranker replaces nothing: it ranks pods as DownscalePolicies ask, for the "
          "stock\n"
          " controllers too. Shadow mode replaces nothing either: it compares which pods the "
          "stock\n"
          " controllers remove with those that ebb would remove, and changes nothing.\n\n"
          " Each scale-down leaves a record of which pods went and why: at /decisions on the "
          "metrics\n"
          " port, in the file of --decision-log, and as an event on the ReplicaSet.\n\n"
          " On SIGTERM or Ctrl-C, ebb finishes what is in flight, releases its lease and exits "
          "with 0.\n"
          " If it loses its lease, it exits with 1 and has to be restarted.",
      .examples =
          "  # The ReplicaSet controller, on the cluster of the current context\n"
          "  {} controller --controllers=replicaset\n\n"
          "  # Both controllers, without the client's own rate limit\n"
          "  {} controller --controllers=replicaset,deployment --kube-api-qps=0\n\n"
          "  # Only the ranker, beside the stock controllers\n"
          "  {} controller --controllers=ranker\n\n"
          "  # Watch the stock controllers, and record what ebb would have done\n"
          "  {} controller --controllers=shadow\n\n"
          "  # Record every scale-down, and log more\n"
          "  {} controller --controllers=replicaset --decision-log=/var/log/ebb/decisions.jsonl "
          "-v=2",
      .usage = "[options]"};
  return kHelp;
}

void ControllerCommand::declare(CLI::App& app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  access_.declare(app);
  app.add_option(
      "--controllers", controllers_,
      "The controllers to run: replicaset, deployment, ranker, shadow, * for all, *,-NAME for all "
      "but one; required");
  app.add_flag("--assume-sole-controller", assume_sole_controller_,
               "Act at once, without verifying that no other ReplicaSet or Deployment controller "
               "acts; for tests, and for clusters where something else guarantees it");
  app.add_option("--take-over-wait", take_over_wait_,
                 "How long there must be no sign of another controller before ebb begins to act; "
                 "at least 10s")
      ->default_str("60s");
  app.add_option("--feature-gates", feature_gates_, feature_gates_help());
  app.add_flag("--leader-elect", leader_elect_,
               "Act only while holding a lease, so that several replicas can run; on by default, "
               "--leader-elect=false turns it off");
  app.add_option("--leader-elect-lease-duration", lease_duration_,
                 "How long other replicas wait after the last renewal before they take over")
      ->default_str("15s");
  app.add_option("--leader-elect-renew-deadline", renew_deadline_,
                 "How long the leader acts without a renewal; at least 5s shorter than the lease "
                 "duration, because its last request may still be in flight for 5s")
      ->default_str("10s");
  app.add_option("--leader-elect-retry-period", retry_period_,
                 "How often ebb renews the lease or tries to acquire it")
      ->default_str("2s");
  app.add_option(
         "--leader-elect-resource-name", lease_name_,
         "The name of the lease, which all replicas share; to run controllers in separate "
         "processes, give each its own name. A ranker alone uses ebb-ranker by default, and "
         "shadow mode alone ebb-shadow")
      ->default_str("'ebb-controller'");
  app.add_option("--leader-elect-resource-namespace", lease_namespace_,
                 "The namespace of the lease")
      ->default_str("'kube-system'");
  app.add_option(
         "--start-wait", start_wait_,
         "With --leader-elect=false, how long to wait before reading the cluster, because requests "
         "of a previous process may still be in flight for 5s; use 0s only if none ran")
      ->default_str("5s");
  limits_.declare(app);
  pickers_.declare(app);
  log_.declare(app);
  pages_.declare(app);
}

Result<control::LeaseSettings> ControllerCommand::lease(std::string_view by_default) const {
  control::LeaseSettings lease;
  const std::array<std::tuple<std::string_view, const std::string*, Nanoseconds*>, 3> spans = {{
      {"--leader-elect-lease-duration", &lease_duration_, &lease.duration_ns},
      {"--leader-elect-renew-deadline", &renew_deadline_, &lease.renew_deadline_ns},
      {"--leader-elect-retry-period", &retry_period_, &lease.retry_period_ns},
  }};
  for (const auto& [option, text, into] : spans) {
    EBB_ASSIGN_OR_RETURN(*into, parse_time_span(option, *text));
  }
  lease.name = lease_name_.value_or(std::string(by_default));
  if (lease.name.empty()) {
    return fail(ErrorCode::kUsage, "--leader-elect-resource-name: must not be empty");
  }
  if (lease_namespace_.empty()) {
    return fail(ErrorCode::kUsage, "--leader-elect-resource-namespace: must not be empty");
  }
  lease.namespace_name = lease_namespace_;
  lease.identity = process_identity();
  EBB_RETURN_IF_ERROR(control::validate(lease));
  return lease;
}

Result<std::optional<control::SoleControllerOptions>> ControllerCommand::guard(
    const control::ProcessSettings& process, const control::LeaseSettings& lease) const {
  EBB_ASSIGN_OR_RETURN(auto wait, parse_time_span("--take-over-wait", take_over_wait_));
  if (wait < kMinTakeOverWaitNs) {
    return fail(ErrorCode::kUsage,
                fmt::format("--take-over-wait: must be at least 10s, but is {}", take_over_wait_));
  }
  if (assume_sole_controller_ || (!process.replica_sets && !process.deployments)) {
    return std::nullopt;
  }
  control::SoleControllerOptions options;
  options.namespace_name = lease.namespace_name;
  options.canary_name = lease.name + "-canary";
  if (!leader_elect_) {
    options.canary_name += fmt::format("-{:08x}", random_number() & 0xffffffffU);
    options.delete_on_stop = true;
  }
  if (const auto errors = schema::dns_subdomain_errors(options.canary_name); !errors.empty()) {
    return fail(
        ErrorCode::kUsage,
        fmt::format("--leader-elect-resource-name: gives the canary an invalid name, {}: {}",
                    options.canary_name, errors.front()));
  }
  options.take_over_ns = wait;
  options.restart_wait_ns = std::max(options.restart_wait_ns, wait);
  return options;
}

Result<runtime::ControllersSettings> ControllerCommand::settings() const {
  runtime::ControllersSettings settings;
  // No default: a user must explicitly ask for a process that replaces a stock controller.
  if (!controllers_) {
    return fail(ErrorCode::kUsage, "--controllers: required; name at least one of the above");
  }
  EBB_ASSIGN_OR_RETURN(auto chosen, parse_controllers(*controllers_, Offer::kControllers));
  if (!chosen.any()) {
    return fail(ErrorCode::kUsage, "--controllers: must name at least one controller");
  }
  settings.process.replica_sets = chosen.replica_sets;
  settings.process.deployments = chosen.deployments;
  settings.process.ranker = chosen.ranker;
  settings.process.shadow = chosen.shadow;
  settings.process.decision_objects.emplace();
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  settings.process.gates = *gates;
  settings.process.seed = random_number();
  const auto start_wait = hollow::parse_duration(start_wait_);
  if (!start_wait || *start_wait < 0) {
    return fail(
        ErrorCode::kUsage,
        fmt::format("--start-wait: expected a duration such as 5s, got \"{}\"", start_wait_));
  }
  EBB_ASSIGN_OR_RETURN(auto elected, lease(chosen.lease_name()));
  EBB_ASSIGN_OR_RETURN(settings.process.sole_controller, this->guard(settings.process, elected));
  if (leader_elect_) {
    settings.process.lease = std::move(elected);
  } else {
    settings.process.start_wait_ns = *start_wait;
  }
  EBB_RETURN_IF_ERROR(limits_.apply(settings.process));
  EBB_RETURN_IF_ERROR(pickers_.apply(settings.egress, settings.process.pickers));
  EBB_RETURN_IF_ERROR(log_.apply(settings));
  EBB_RETURN_IF_ERROR(pages_.apply(settings));
  return settings;
}

Result<void> ControllerCommand::run(const Streams& streams) {
  if (!controllers_) streams.err << describe_controller_choices();
  EBB_ASSIGN_OR_RETURN(auto settings, this->settings());
  const control::ProcessSettings process = settings.process;
  EBB_ASSIGN_OR_RETURN(auto access, access_.find());
  const std::string server = kube::shown_server(access.server);
  return run_in_foreground(
      std::move(settings), std::move(access), streams,
      {.first_line = fmt::format("starting ebb {}: controllers {} on {}{}", EBB_VERSION,
                                 controllers_of(process).names(), server, off_switch(process)),
       .port_advice = "; choose another port with --metrics-port, or 0 for none",
       .result = [&process](const runtime::Controllers& controllers) -> Result<void> {
         if (controllers.lost_lease()) {
           return fail(ErrorCode::kIo,
                       fmt::format("lost the lease {}/{}: exiting, because another replica "
                                   "may act now",
                                   process.lease->namespace_name, process.lease->name));
         }
         if (controllers.canary_forbidden())
           return fail(ErrorCode::kIo, missing_right(controllers));
         return {};
       }});
}

Completion ControllerCommand::complete(std::string_view option) const {
  if (option == "--controllers") return complete_controllers(Offer::kControllers);
  if (option == "--feature-gates") return complete_feature_gates();
  if (option == "--picker-egress") return PickerOptions::complete_egress();
  if (option == "--kube-api-content-type") return ApiLimitOptions::complete_content_type();
  if (option == "--kubeconfig") return {{}, true};
  if (const Completion pages = PageOptions::complete(option); pages.files || !pages.words.empty()) {
    return pages;
  }
  return LogOptions::complete(option);
}

}  // namespace ebb::cli
