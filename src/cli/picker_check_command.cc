#include "cli/picker_check_command.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "asker/asker.h"
#include "cli/input.h"
#include "cli/picker_report.h"
#include "cli/target.h"
#include "cli/values.h"
#include "plan/plan.h"
#include "runtime/clock.h"

namespace ebb::cli {
namespace {

using picker::Outcome;

// More would not fit into the names that a cluster has, and says nothing new.
constexpr int kMostCandidates = 10'000;

// Whoever types an address here may reach it anyway; only what no picker is ever at stays closed.
net::EgressPolicy own_command_line() {
  net::EgressPolicy policy;
  policy.loopback = true;
  for (const char* everything : {"0.0.0.0/0", "::/0"}) {
    if (auto cidr = net::parse_cidr(everything)) policy.allow.push_back(*cidr);
  }
  return policy;
}

// Asks one question at a time.
class OneByOne {
 public:
  picker::Reply ask(picker::Call call) {
    asker_.ask(std::move(call));
    std::unique_lock<std::mutex> lock(mutex_);
    replied_.wait(lock, [this] { return reply_.has_value(); });
    return *std::exchange(reply_, std::nullopt);
  }

 private:
  void put(picker::Reply reply) {
    const std::unique_lock<std::mutex> lock(mutex_);
    reply_ = std::move(reply);
    replied_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable replied_;
  std::optional<picker::Reply> reply_;
  // The last member: its thread has ended before the others go.
  asker::Asker asker_{{.egress = own_command_line()},
                      [this](picker::CallId, picker::Reply reply) { put(std::move(reply)); }};
};

std::string random_key() {
  std::random_device device;
  return fmt::format("picker-check-{:08x}{:08x}", device(), device());
}

std::vector<Finding> ask_all(const Trials& trials, const picker::Call& like) {
  OneByOne picker;
  std::vector<Finding> findings;
  const std::string run_key = random_key();
  picker::CallId id = 0;
  std::size_t key = 0;
  for (const Trial& trial : trials.all()) {
    Asked asked{.question = trials.question(trial, like.settings->context)};
    picker::Call call = like;
    call.id = ++id;
    const bool grpc = like.settings->protocol == picker::Protocol::kGrpc;
    call.body = std::make_shared<const std::string>(grpc ? to_protobuf(asked.question)
                                                         : to_json(asked.question));
    if (!trial.again) ++key;
    call.idempotency_key = fmt::format("{}-{}", run_key, key);
    const Timestamp sent = runtime::clock_now().mono;
    asked.reply = picker.ask(std::move(call));
    asked.took_ns = elapsed_ns(sent, runtime::clock_now().mono);
    findings.push_back(judge_trial(trial, std::move(asked), like.settings->timeout_ns,
                                   findings.empty() ? nullptr : &findings.back()));
    // Nobody is there, so the other questions would only say so again.
    const Outcome outcome = findings.back().reply.outcome;
    if (outcome == Outcome::kRefused || outcome == Outcome::kTls) break;
  }
  return findings;
}

}  // namespace

const HelpText& PickerCheckCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Ask a picker sample questions, and say what a controller would make of it",
      .long_text =
          " URL is http://HOST[:PORT]/PATH, https://..., grpc://HOST:PORT or grpcs://HOST:PORT.\n"
          " Each question is sent once, as a controller would send it: who are the candidates, "
          "and\n"
          " how many have to go. The report has the answer, how long it took, which pods would go\n"
          " and why, and what is to be mended: failures, names that are no candidates, another\n"
          " answer to the same question.\n\n"
          " The pods are made up, unless they are named by --pod, or taken from a snapshot by\n"
          " --filename and --target. A picker that knows its pods may have no opinion about "
          "others.\n\n"
          " It exits with 0 if nothing is to be mended, with 1 if something is or nobody answers.",
      .examples =
          "  # A picker on this machine\n"
          "  {} picker-check http://localhost:8080/pick\n\n"
          "  # With the pods it knows, and a token that does not end up in the shell's history\n"
          "  {} picker-check https://picker.example --pod web-1 --pod web-2 --pod web-3 "
          "--header-env 'Authorization: PICKER_AUTH'\n\n"
          "  # Over gRPC, about the pods of a Deployment in a snapshot\n"
          "  {} picker-check grpc://localhost:9090 -f cluster.json --target deploy/web "
          "--replicas 3",
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
  add_list("--pod", pods_, "The name of a candidate, in place of made-up ones; may be repeated");
  app.add_option("--candidates", candidates_,
                 "How many made-up candidates the largest question has")
      ->default_str("500");
  add_list("-f,--filename", files_,
           "File, folder or - (standard input) to take the pods of --target from; may be repeated");
  app.add_option("--target", target_, "The workload in these files: rs/NAME or deploy/NAME");
  app.add_option("-n,--namespace", name_space_, "The namespace of the target")
      ->default_str("'default'");
  app.add_option("--replicas", replicas_, "How many pods of it would stay");
  app.add_option("-o,--output", output_, "Output format: text or json")->default_str("'text'");
}

Result<Trials> PickerCheckCommand::trials_of_files(model::Snapshot& snapshot,
                                                   const Streams& streams) const {
  plan::Request request;
  if (auto parsed = parse_target("--target", target_, request); !parsed) return propagate(parsed);
  if (replicas_.empty()) {
    return fail(ErrorCode::kUsage, "--replicas is required: how many pods of the target stay");
  }
  auto replicas = parse_replicas(replicas_);
  if (!replicas) return propagate(replicas);
  request.replicas = *replicas;
  request.name_space = name_space_;
  request.now = runtime::clock_now().wall;
  auto read = read_inputs(files_, streams);
  if (!read) return propagate(read);
  snapshot = std::move(*read);
  auto plan = plan::make_plan(snapshot, request);
  if (!plan) return propagate(plan);
  Trials trials = Trials::of_plan(*plan, snapshot);
  if (trials.all().empty()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("a picker would not be asked when {} goes to {} pods: nothing is left "
                            "to choose",
                            target_, *replicas));
  }
  return trials;
}

Result<Trials> PickerCheckCommand::trials(model::Snapshot& snapshot, const Streams& streams) const {
  auto many = parse_int("--candidates", candidates_, 2);
  if (!many) return propagate(many);
  if (*many > kMostCandidates) {
    return fail(ErrorCode::kUsage, fmt::format("--candidates: expected {} at most, got \"{}\"",
                                               kMostCandidates, candidates_));
  }
  if (files_.empty() && (!target_.empty() || !replicas_.empty())) {
    return fail(ErrorCode::kUsage, "--target and --replicas are for a snapshot: give --filename");
  }
  if (!files_.empty() && !pods_.empty()) {
    return fail(ErrorCode::kUsage, "--pod and --filename exclude each other");
  }
  if (!files_.empty()) return trials_of_files(snapshot, streams);
  const Timestamp now = runtime::clock_now().wall;
  if (pods_.empty()) return Trials::of_samples(static_cast<std::size_t>(*many), now);
  const std::set<std::string> different(pods_.begin(), pods_.end());
  if (different.size() != pods_.size() || different.contains("")) {
    return fail(ErrorCode::kUsage, "--pod: expected names that differ, and none that is empty");
  }
  if (pods_.size() < 2) {
    return fail(ErrorCode::kUsage, "--pod: expected two pods or more, so that there is a choice");
  }
  return Trials::of_names(pods_, now);
}

Result<void> PickerCheckCommand::run(const Streams& streams) {
  if (output_ != "text" && output_ != "json") {
    return fail(ErrorCode::kUsage,
                fmt::format("--output: expected text or json, got \"{}\"", output_));
  }
  auto call = access_.call();
  if (!call) return propagate(call);
  model::Snapshot snapshot;
  auto trials = this->trials(snapshot, streams);
  if (!trials) return propagate(trials);
  const std::vector<Finding> findings = ask_all(*trials, *call);
  streams.out << (output_ == "json" ? picker_report_json(*call->settings, findings)
                                    : picker_report(*call->settings, findings));
  if (const std::size_t problems = count_problems(findings); problems > 0) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: {} to be mended", call->settings->endpoint(),
                            problems == 1 ? "a problem is" : "problems are"));
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
