#include "cli/picker/picker_check_command.h"

#include <optional>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/mutex.h"
#include "cli/common/input.h"
#include "cli/common/target.h"
#include "cli/common/values.h"
#include "cli/picker/picker_report.h"
#include "pickerclient/picker_client.h"
#include "plan/plan.h"
#include "runtime/host/clock.h"

namespace ebb::cli {
namespace {

using picker::Outcome;

// More candidates do not occur in real clusters and would show nothing new.
constexpr int kMaxCandidates = 10'000;

// The user of a command line can reach any address anyway; only addresses that are never a picker's
// stay forbidden.
net::EgressPolicy own_command_line() {
  net::EgressPolicy policy;
  policy.loopback = true;
  for (const char* everything : {"0.0.0.0/0", "::/0"}) {
    if (auto cidr = net::parse_cidr(everything)) policy.allow.push_back(*cidr);
  }
  return policy;
}

// Sends one request at a time.
class OneByOne {
 public:
  picker::Reply ask(picker::Call call) {
    picker_client_.ask(std::move(call));
    const MutexLock lock(mutex_);
    while (!reply_) replied_.wait(mutex_);
    return *std::exchange(reply_, std::nullopt);
  }

 private:
  void put(picker::Reply reply) {
    const MutexLock lock(mutex_);
    reply_ = std::move(reply);
    replied_.notify_one();
  }

  Mutex mutex_;
  ConditionVariable replied_;
  std::optional<picker::Reply> reply_ EBB_GUARDED_BY(mutex_);
  // The last member: its thread ends before the other members are destroyed.
  picker_client::PickerClient picker_client_{
      {.egress = own_command_line()},
      [this](picker::CallId, picker::Reply reply) { put(std::move(reply)); }};
};

std::string random_key() {
  std::random_device device;
  return fmt::format("picker-check-{:08x}{:08x}", device(), device());
}

std::vector<TrialResult> ask_all(const Trials& trials, const picker::Call& like) {
  OneByOne picker;
  std::vector<TrialResult> trial_results;
  const std::string run_key = random_key();
  picker::CallId id = 0;
  std::size_t key = 0;
  for (const Trial& trial : trials.all()) {
    Asked asked{.request = trials.request(trial, like.settings->context)};
    picker::Call call = like;
    call.id = ++id;
    const bool grpc = like.settings->protocol == picker::Protocol::kGrpc;
    call.body = std::make_shared<const std::string>(grpc ? to_protobuf(asked.request)
                                                         : to_json(asked.request));
    if (!trial.again) ++key;
    call.idempotency_key = fmt::format("{}-{}", run_key, key);
    const Timestamp sent = runtime::clock_now().mono;
    asked.reply = picker.ask(std::move(call));
    asked.took_ns = elapsed_ns(sent, runtime::clock_now().mono);
    trial_results.push_back(judge_trial(trial, std::move(asked), like.settings->timeout_ns,
                                        trial_results.empty() ? nullptr : &trial_results.back()));
    // The picker is unreachable, so the other requests would only fail in the same way.
    const Outcome outcome = trial_results.back().reply.outcome;
    if (outcome == Outcome::kRefused || outcome == Outcome::kTls) break;
  }
  return trial_results;
}

}  // namespace

const HelpText& PickerCheckCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Send sample requests to a picker and check its answers",
      .long_text =
          " URL is http://HOST[:PORT]/PATH, https://..., grpc://HOST:PORT or grpcs://HOST:PORT.\n"
          " Each request is sent once, as a controller would send it: the candidates, and how many "
          "of\n"
          " them have to go. The report shows the answer, how long it took, which pods would go "
          "and\n"
          " why, and what to fix: failures, names that are not candidates, different answers to "
          "the\n"
          " same request.\n\n"
          " The pods are made up, unless you name them with --pod or take them from a snapshot "
          "with\n"
          " --filename and --target. A picker that knows its pods may have no preference among "
          "others.\n\n"
          " It exits with 0 if there is nothing to fix, and with 1 if there is, or if the picker "
          "does\n"
          " not answer.",
      .examples =
          "  # A picker on this machine\n"
          "  {} picker-check http://localhost:8080/pick\n\n"
          "  # With pods that it knows, and a token that stays out of the shell's history\n"
          "  {} picker-check https://picker.example --pod web-1 --pod web-2 --pod web-3 "
          "--header-env 'Authorization: PICKER_AUTH'\n\n"
          "  # Over gRPC, with the pods of a Deployment in a snapshot\n"
          "  {} picker-check grpc://localhost:9090 -f cluster.json --target deploy/web --replicas "
          "3",
      .usage = "URL [options]"};
  return kHelp;
}

void PickerCheckCommand::declare(CLI::App& app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  access_.declare(app);
  const auto add_list = [&](const char* name, std::vector<std::string>& into, const char* text) {
    app.add_option(name, into, text)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->default_str("[]");
  };
  add_list("--pod", pods_, "The name of a candidate, instead of made-up ones; may be repeated");
  app.add_option("--candidates", candidates_,
                 "The number of made-up candidates in the largest request")
      ->default_str("500");
  add_list("-f,--filename", files_,
           "File, folder or - (standard input) to take the pods of --target from; may be repeated");
  app.add_option("--target", target_, "The workload in these files: rs/NAME or deploy/NAME");
  app.add_option("-n,--namespace", namespace_name_, "The namespace of the target")
      ->default_str("'default'");
  app.add_option("--replicas", replicas_, "How many of its pods would stay");
  app.add_option("-o,--output", output_, "Output format: text or json")->default_str("'text'");
}

Result<Trials> PickerCheckCommand::trials_of_files(model::Snapshot& snapshot,
                                                   const Streams& streams) const {
  plan::Request request;
  EBB_RETURN_IF_ERROR(parse_target("--target", target_, request));
  if (replicas_.empty()) {
    return fail(ErrorCode::kUsage, "--replicas is required: how many pods of the target stay");
  }
  EBB_ASSIGN_OR_RETURN(auto replicas, parse_replicas(replicas_));
  request.replicas = replicas;
  request.namespace_name = namespace_name_;
  request.now = runtime::clock_now().wall;
  EBB_ASSIGN_OR_RETURN(snapshot, read_inputs(files_, streams));
  EBB_ASSIGN_OR_RETURN(auto plan, plan::make_plan(snapshot, request));
  Trials trials = Trials::of_plan(plan, snapshot);
  if (trials.all().empty()) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("a picker would not be called when {} scales to {}: there is nothing to "
                    "choose",
                    target_, replicas));
  }
  return trials;
}

Result<Trials> PickerCheckCommand::trials(model::Snapshot& snapshot, const Streams& streams) const {
  EBB_ASSIGN_OR_RETURN(auto many, parse_int("--candidates", candidates_, 2));
  if (many > kMaxCandidates) {
    return fail(ErrorCode::kUsage, fmt::format("--candidates: expected at most {}, got \"{}\"",
                                               kMaxCandidates, candidates_));
  }
  if (files_.empty() && (!target_.empty() || !replicas_.empty())) {
    return fail(ErrorCode::kUsage, "--target and --replicas need a snapshot: give --filename");
  }
  if (!files_.empty() && !pods_.empty()) {
    return fail(ErrorCode::kUsage, "--pod and --filename are mutually exclusive");
  }
  if (!files_.empty()) return trials_of_files(snapshot, streams);
  const Timestamp now = runtime::clock_now().wall;
  if (pods_.empty()) return Trials::of_samples(static_cast<std::size_t>(many), now);
  const std::set<std::string> different(pods_.begin(), pods_.end());
  if (different.size() != pods_.size() || different.contains("")) {
    return fail(ErrorCode::kUsage, "--pod: expected different names, none of them empty");
  }
  if (pods_.size() < 2) {
    return fail(ErrorCode::kUsage, "--pod: expected at least two pods, so that there is a choice");
  }
  return Trials::of_names(pods_, now);
}

Result<void> PickerCheckCommand::run(const Streams& streams) {
  if (output_ != "text" && output_ != "json") {
    return fail(ErrorCode::kUsage,
                fmt::format("--output: expected text or json, got \"{}\"", output_));
  }
  EBB_ASSIGN_OR_RETURN(auto call, access_.call());
  model::Snapshot snapshot;
  EBB_ASSIGN_OR_RETURN(auto trials, this->trials(snapshot, streams));
  const std::vector<TrialResult> trial_results = ask_all(trials, call);
  streams.out << (output_ == "json" ? picker_report_json(*call.settings, trial_results)
                                    : picker_report(*call.settings, trial_results));
  if (const std::size_t problems = count_problems(trial_results); problems > 0) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: the check found {}; see the report", call.settings->endpoint(),
                            problems == 1 ? "a problem" : "problems"));
  }
  return {};
}

Completion PickerCheckCommand::complete(std::string_view option) const {
  if (option.empty()) return {{"http://", "https://", "grpc://", "grpcs://"}, false};
  if (option == "--output") return {{"json", "text"}, false};
  if (option == "--context") return {{"full", "names"}, false};
  if (option == "--target") return {{"deploy/", "rs/"}, false};
  return {{}, option == "--filename" || PickerAccess::names_a_file(option)};
}

}  // namespace ebb::cli
