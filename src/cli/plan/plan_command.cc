#include "cli/plan/plan_command.h"

#include <algorithm>
#include <array>
#include <csignal>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/input.h"
#include "cli/common/stop_signal.h"
#include "cli/common/target.h"
#include "cli/common/values.h"
#include "cli/plan/live_snapshot.h"
#include "cli/plan/plan_output.h"
#include "cli/plan/policy_file.h"
#include "model/records/feature_gates.h"
#include "net/address/steady_clock.h"
#include "picker/answer.h"
#include "plan/find.h"
#include "plan/plan.h"
#include "schema/core/time.h"

namespace ebb::cli {
namespace {

using plan::Request;

constexpr std::string_view kDefaultNamespace = "default";
constexpr std::array<std::string_view, 4> kOutputs = {"table", "wide", "json", "yaml"};

Result<Timestamp> parse_now(const std::string& text) {
  if (text.empty()) return net::wall_now();
  auto now = schema::parse_time(text);
  if (!now) return fail(ErrorCode::kUsage, "--now: " + now.error().message);
  if (*now < Timestamp::from_seconds(0)) {
    return fail(ErrorCode::kUsage, "--now: must not be before 1970");
  }
  return now;
}

// A credential plugin that hangs must not outlive this process, so a signal first ends the plugin
// and then the process, as it would have by default.
Result<std::unique_ptr<kube::Client>> make_client(kube::ClusterAccess access) {
  int signal = 0;
  {
    EBB_ASSIGN_OR_RETURN(auto stop, StopSignal::catch_signals());
    auto client = kube::Client::make(std::move(access), &stop.came());
    signal = stop.which();
    if (signal == 0) return client;
  }
  std::raise(signal);
  return fail(ErrorCode::kIo, "stopped by a signal");
}

Result<picker::Answer> read_answer(const std::string& name, std::istream& in) {
  EBB_ASSIGN_OR_RETURN(auto text, read_text_file(name, in));
  auto answer = picker::decode_answer(text);
  if (!answer) return fail(ErrorCode::kInvalidInput, name + ": " + answer.error().message);
  return answer;
}

}  // namespace

Result<void> PlanCommand::check_sources() const {
  if (app_->count("--namespace") > 0 && namespace_name_.empty()) {
    return fail(ErrorCode::kUsage, "--namespace: must not be empty");
  }
  if (!namespace_name_.empty() && all_namespaces_) {
    return fail(ErrorCode::kUsage, "--namespace and --all-namespaces are mutually exclusive");
  }
  if (!files_.empty() && (access_.given() || all_namespaces_)) {
    return fail(ErrorCode::kUsage,
                fmt::format("{} needs a live cluster, but --filename reads files instead",
                            all_namespaces_ ? "--all-namespaces" : "--kubeconfig or --context"));
  }
  if (std::find(files_.begin(), files_.end(), "") != files_.end()) {
    return fail(ErrorCode::kUsage, "--filename: must not be empty");
  }
  if (std::count(files_.begin(), files_.end(), "-") + (picker_answer_ == "-" ? 1 : 0) +
          (policy_ == "-" ? 1 : 0) >
      1) {
    return fail(ErrorCode::kUsage, "standard input (-) can be read only once");
  }
  return {};
}

Result<model::Snapshot> PlanCommand::read_snapshot(Request& request, const Streams& streams) const {
  request.namespace_name = namespace_name_;
  if (!files_.empty()) {
    auto snapshot = read_inputs(files_, streams);
    if (!snapshot || !request.namespace_name.empty()) return snapshot;
    // kubectl's output has one namespace, which need not be `default`.
    const auto found = plan::namespaces_with(*snapshot, request.kind, request.name);
    request.namespace_name = found.size() == 1 ? found.front() : std::string(kDefaultNamespace);
    return snapshot;
  }
  EBB_ASSIGN_OR_RETURN(auto access, access_.find());
  if (request.namespace_name.empty()) request.namespace_name = access.namespace_name;
  EBB_ASSIGN_OR_RETURN(auto client, make_client(std::move(access)));
  if (all_namespaces_) {
    EBB_ASSIGN_OR_RETURN(request.namespace_name, find_namespace(*client, request, streams));
  }
  auto snapshot = read_live(*client, request, streams);
  const bool assumed = namespace_name_.empty() && !all_namespaces_;
  if (!snapshot && assumed && snapshot.error().code == ErrorCode::kNotFound) {
    snapshot.error().message += fmt::format(
        " in namespace {}; use -n for another namespace, -A for all", request.namespace_name);
  }
  return snapshot;
}

const HelpText& PlanCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Show which pods a scale-down would remove, in which order, and why",
      .long_text =
          " TARGET is rs/NAME, replicaset/NAME, deploy/NAME or deployment/NAME. ebb reads pods,\n"
          " ReplicaSets and Deployments from the cluster of the current context, or with -f from "
          "files\n"
          " or standard input, in any format that kubectl get -o json or -o yaml prints. It also "
          "uses\n"
          " nodes, downscalepolicies and podgroupcosts if there are any. It changes nothing.",
      .examples =
          "  # Show which pods go when the Deployment web shrinks to 8\n"
          "  {} plan deploy/web --replicas 8\n\n"
          "  # The same in another cluster and namespace\n"
          "  {} plan deploy/web --replicas 8 --context production -n shop\n\n"
          "  # Read what kubectl prints\n"
          "  kubectl get deploy,rs,pods -o json | {} plan deploy/web --replicas 8 -f -\n\n"
          "  # Show all values that the order compares, from files\n"
          "  {} plan rs/web-7d4b9c6f5d --replicas 3 -f pods.yaml -f replicasets.yaml -o wide\n\n"
          "  # Plan for a time in the past, without deletion costs\n"
          "  {} plan deploy/web --replicas 8 -f cluster/ --now 2026-11-01T12:00:00Z \\\n"
          "      --feature-gates PodDeletionCost=false\n\n"
          "  # Try a picker's answer before you have a picker\n"
          "  echo '{\"chosen_pods\": [\"web-7d4b9c6f5d-x2x1q\"]}' > answer.json\n"
          "  {} plan deploy/web --replicas 8 -f cluster.json --picker-answer answer.json\n\n"
          "  # Try a policy before you apply it, and show the ranks of each strategy\n"
          "  {} plan deploy/web --replicas 8 --policy policy.yaml -o wide",
      .usage = "TARGET --replicas=N [-f FILE] [options]"};
  return kHelp;
}

void PlanCommand::declare(CLI::App& app) {
  app_ = &app;
  app.add_option("target", target_, "What is scaled down")->option_text("TARGET");
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--replicas", replicas_, "The number of replicas to scale to; required");
  app.add_option(
         "-f,--filename", files_,
         "File, folder or - (standard input) to read objects from instead of a cluster; may "
         "be repeated")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->default_str("[]");
  access_.declare(app);
  app.add_option("-n,--namespace", namespace_name_,
                 "The namespace of the target; by default the namespace of the context, or with "
                 "files the only namespace that has the target, or else default");
  app.add_flag("-A,--all-namespaces", all_namespaces_,
               "Look for the target in all namespaces; it must exist in only one");
  app.add_option("-o,--output", output_, "Output format: table, wide, json or yaml")
      ->default_str("'table'");
  app.add_option(
      "--now", now_,
      "The time of the decision, such as 2026-11-01T12:00:00Z; by default the current time");
  app.add_option("--feature-gates", feature_gates_, feature_gates_help());
  app.add_option(
      "--picker-answer", picker_answer_,
      "File (or -) with a picker's answer, {\"chosen_pods\": [...], \"tied_pods\": [...]}");
  app.add_option("--policy", policy_,
                 "File (or -) with a DownscalePolicy to try before you apply it; the plan assumes "
                 "that its ranks are published");
}

Result<void> PlanCommand::run(const Streams& streams) {
  Request request;
  EBB_RETURN_IF_ERROR(parse_target("TARGET", target_, request));
  if (replicas_.empty()) return fail(ErrorCode::kUsage, "--replicas is required");
  EBB_ASSIGN_OR_RETURN(request.replicas, parse_replicas(replicas_));
  if (std::find(kOutputs.begin(), kOutputs.end(), output_) == kOutputs.end()) {
    return fail(ErrorCode::kUsage, fmt::format("--output: expected one of {}, got \"{}\"",
                                               fmt::join(kOutputs, ", "), output_));
  }
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  request.gates = *gates;
  EBB_ASSIGN_OR_RETURN(request.now, parse_now(now_));
  EBB_RETURN_IF_ERROR(check_sources());
  if (!picker_answer_.empty()) {
    EBB_ASSIGN_OR_RETURN(request.answer, read_answer(picker_answer_, streams.in));
  }
  if (!policy_.empty()) {
    EBB_ASSIGN_OR_RETURN(request.policy, read_policy_file(policy_, streams));
  }

  EBB_ASSIGN_OR_RETURN(auto snapshot, read_snapshot(request, streams));
  EBB_ASSIGN_OR_RETURN(auto plan, plan::make_plan(snapshot, request));

  if (output_ == "json") {
    streams.out << plan_json(plan, request);
  } else if (output_ == "yaml") {
    streams.out << plan_yaml(plan, request);
  } else {
    streams.err << plan_warnings(plan);
    streams.out << plan_table(plan, request, snapshot, output_ == "wide");
  }
  return {};
}

Completion PlanCommand::complete(std::string_view option) const {
  if (option.empty()) return {{"deploy/", "deployment/", "replicaset/", "rs/"}, false};
  if (option == "--output") return {{kOutputs.begin(), kOutputs.end()}, false};
  if (option == "--filename" || option == "--picker-answer" || option == "--policy" ||
      option == "--kubeconfig")
    return {{}, true};
  if (option == "--feature-gates") return complete_feature_gates();
  return {};
}

}  // namespace ebb::cli
