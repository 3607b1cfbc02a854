#include "cli/plan_command.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/input.h"
#include "cli/live_snapshot.h"
#include "cli/plan_output.h"
#include "cli/policy_file.h"
#include "cli/stop_signal.h"
#include "cli/target.h"
#include "cli/values.h"
#include "model/feature_gates.h"
#include "picker/answer.h"
#include "plan/find.h"
#include "plan/plan.h"
#include "schema/time.h"

namespace ebb::cli {
namespace {

using plan::Request;

constexpr std::string_view kDefaultNamespace = "default";
constexpr std::array<std::string_view, 4> kOutputs = {"table", "wide", "json", "yaml"};

Result<Timestamp> parse_now(const std::string& text) {
  if (text.empty()) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return Timestamp::from_nanoseconds(
        std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  }
  auto now = schema::parse_time(text);
  if (!now) return fail(ErrorCode::kUsage, "--now: " + now.error().message);
  if (*now < Timestamp::from_seconds(0)) {
    return fail(ErrorCode::kUsage, "--now: must not lie before 1970");
  }
  return now;
}

// A credential plugin that hangs must not outlive us, so signals end it first, and then us as
// they would have.
Result<std::unique_ptr<kube::Client>> make_client(kube::ClusterAccess access) {
  int signal = 0;
  {
    auto stop = StopSignal::catch_signals();
    if (!stop) return propagate(stop);
    auto client = kube::Client::make(std::move(access), &stop->came());
    signal = stop->which();
    if (signal == 0) return client;
  }
  std::raise(signal);
  return fail(ErrorCode::kIo, "stopped by a signal");
}

Result<picker::Answer> read_answer(const std::string& name, std::istream& in) {
  auto text = read_text_file(name, in);
  if (!text) return propagate(text);
  auto answer = picker::decode_answer(*text);
  if (!answer) return fail(ErrorCode::kInvalidInput, name + ": " + answer.error().message);
  return answer;
}

}  // namespace

Result<void> PlanCommand::check_sources() const {
  if (app_->count("--namespace") > 0 && name_space_.empty()) {
    return fail(ErrorCode::kUsage, "--namespace: is empty");
  }
  if (!name_space_.empty() && all_namespaces_) {
    return fail(ErrorCode::kUsage, "--namespace and --all-namespaces exclude each other");
  }
  if (!files_.empty() && (access_.given() || all_namespaces_)) {
    return fail(ErrorCode::kUsage,
                fmt::format("{} is for a live cluster; with --filename nothing is asked of one",
                            all_namespaces_ ? "--all-namespaces" : "--kubeconfig or --context"));
  }
  if (std::find(files_.begin(), files_.end(), "") != files_.end()) {
    return fail(ErrorCode::kUsage, "--filename: is empty");
  }
  if (std::count(files_.begin(), files_.end(), "-") + (picker_answer_ == "-" ? 1 : 0) +
          (policy_ == "-" ? 1 : 0) >
      1) {
    return fail(ErrorCode::kUsage, "standard input (-) can be read only once");
  }
  return {};
}

Result<model::Snapshot> PlanCommand::read_snapshot(Request& request, const Streams& streams) const {
  request.name_space = name_space_;
  if (!files_.empty()) {
    auto snapshot = read_inputs(files_, streams);
    if (!snapshot || !request.name_space.empty()) return snapshot;
    // What kubectl printed is of one namespace, and that need not be default.
    const auto found = plan::namespaces_with(*snapshot, request.kind, request.name);
    request.name_space = found.size() == 1 ? found.front() : std::string(kDefaultNamespace);
    return snapshot;
  }
  auto access = access_.find();
  if (!access) return propagate(access);
  if (request.name_space.empty()) request.name_space = access->namespace_name;
  auto client = make_client(std::move(*access));
  if (!client) return propagate(client);
  if (all_namespaces_) {
    auto found = find_namespace(**client, request, streams);
    if (!found) return propagate(found);
    request.name_space = std::move(*found);
  }
  auto snapshot = read_live(**client, request, streams);
  const bool assumed = name_space_.empty() && !all_namespaces_;
  if (!snapshot && assumed && snapshot.error().code == ErrorCode::kNotFound) {
    snapshot.error().message +=
        fmt::format(" in namespace {}; -n names another, -A looks in all", request.name_space);
  }
  return snapshot;
}

const HelpText& PlanCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Show which pods a scale-down would remove, in which order, and why",
      .long_text =
          " TARGET is rs/NAME, replicaset/NAME, deploy/NAME or deployment/NAME. The pods, "
          "ReplicaSets\n"
          " and Deployments are read from the cluster of the current context, or with -f from "
          "files or\n"
          " standard input, in any form that kubectl get -o json or -o yaml prints; nodes,\n"
          " downscalepolicies and podgroupcosts are used if they are there. Nothing is changed.",
      .examples =
          "  # What goes when the Deployment web shrinks to 8\n"
          "  {} plan deploy/web --replicas 8\n\n"
          "  # The same in another cluster and namespace\n"
          "  {} plan deploy/web --replicas 8 --context production -n shop\n\n"
          "  # From what kubectl prints\n"
          "  kubectl get deploy,rs,pods -o json | {} plan deploy/web --replicas 8 -f -\n\n"
          "  # With everything the order looks at, from files\n"
          "  {} plan rs/web-7d4b9c6f5d --replicas 3 -f pods.yaml -f replicasets.yaml -o wide\n\n"
          "  # As it was decided at a moment in the past, without deletion cost\n"
          "  {} plan deploy/web --replicas 8 -f cluster/ --now 2026-11-01T12:00:00Z \\\n"
          "      --feature-gates PodDeletionCost=false\n\n"
          "  # Try a picker's answer before there is a picker\n"
          "  echo '{\"chosen_pods\": [\"web-7d4b9c6f5d-x2x1q\"]}' > answer.json\n"
          "  {} plan deploy/web --replicas 8 -f cluster.json --picker-answer answer.json\n\n"
          "  # Try a policy before it is applied, and see what each of its strategies says\n"
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
  app.add_option(
      "-n,--namespace", name_space_,
      "The namespace of the target; by default that of the context, and for files the only "
      "one that has it, or else default");
  app.add_flag("-A,--all-namespaces", all_namespaces_,
               "Look for the target in all namespaces; it has to be in one only");
  app.add_option("-o,--output", output_, "Output format: table, wide, json or yaml")
      ->default_str("'table'");
  app.add_option(
      "--now", now_,
      "The moment of the decision, such as 2026-11-01T12:00:00Z; the present if not given");
  app.add_option("--feature-gates", feature_gates_, feature_gates_help());
  app.add_option(
      "--picker-answer", picker_answer_,
      "File (or -) with a picker's answer, {\"chosen_pods\": [...], \"tied_pods\": [...]}");
  app.add_option(
      "--policy", policy_,
      "File (or -) with a DownscalePolicy to try before it is applied: the plan is as if "
      "the ranks it asks for were published");
}

Result<void> PlanCommand::run(const Streams& streams) {
  Request request;
  if (auto parsed = parse_target("TARGET", target_, request); !parsed) return propagate(parsed);
  if (replicas_.empty()) return fail(ErrorCode::kUsage, "--replicas is required");
  auto replicas = parse_replicas(replicas_);
  if (!replicas) return propagate(replicas);
  request.replicas = *replicas;
  if (std::find(kOutputs.begin(), kOutputs.end(), output_) == kOutputs.end()) {
    return fail(ErrorCode::kUsage, fmt::format("--output: expected one of {}, got \"{}\"",
                                               fmt::join(kOutputs, ", "), output_));
  }
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  request.gates = *gates;
  auto now = parse_now(now_);
  if (!now) return propagate(now);
  request.now = *now;
  if (auto checked = check_sources(); !checked) return propagate(checked);
  if (!picker_answer_.empty()) {
    auto answer = read_answer(picker_answer_, streams.in);
    if (!answer) return propagate(answer);
    request.answer = std::move(*answer);
  }
  if (!policy_.empty()) {
    auto policy = read_policy_file(policy_, streams);
    if (!policy) return propagate(policy);
    request.policy = std::move(*policy);
  }

  auto snapshot = read_snapshot(request, streams);
  if (!snapshot) return propagate(snapshot);
  auto plan = plan::make_plan(*snapshot, request);
  if (!plan) return propagate(plan);

  if (output_ == "json") {
    streams.out << plan_json(*plan, request);
  } else if (output_ == "yaml") {
    streams.out << plan_yaml(*plan, request);
  } else {
    streams.err << plan_warnings(*plan);
    streams.out << plan_table(*plan, request, *snapshot, output_ == "wide");
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
