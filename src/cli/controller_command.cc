#include "cli/controller_command.h"

#include <array>
#include <random>
#include <sstream>
#include <thread>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/controller_names.h"
#include "cli/hangup.h"
#include "cli/input.h"
#include "cli/stop_signal.h"
#include "cli/values.h"
#include "control/elector.h"
#include "model/feature_gates.h"

namespace ebb::cli {
namespace {

constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf";
constexpr std::string_view kJson = "application/json";

std::uint64_t random_number() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

// Another one for each start, so that nobody takes a predecessor's lease for its own.
std::string identity() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("{}_{:016x}{:016x}", host.data(), random_number(), random_number());
}

ChosenControllers controllers_of(const control::ProcessSettings& process) {
  return {.replica_sets = process.replica_sets,
          .deployments = process.deployments,
          .ranker = process.ranker};
}

// What a person has to see to; empty: nothing.
std::string off_switch(const control::ProcessSettings& process) {
  if (!process.replica_sets && !process.deployments) return {};
  std::string text = "; the stock ones have to be off: kube-controller-manager --controllers=*";
  if (process.replica_sets) text += ",-replicaset-controller";
  if (process.deployments) text += ",-deployment-controller";
  return text;
}

}  // namespace

const HelpText& ControllerCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Run the controllers on a Kubernetes cluster, in place of the stock ones",
      .long_text =
          " The ReplicaSet controller makes and removes pods, by the order that plan shows; the\n"
          " Deployment controller, if asked for, rolls Deployments out. Each takes the place of "
          "the\n"
          " one in kube-controller-manager, which has to be switched off first:\n"
          "   kube-controller-manager --controllers=*,-replicaset-controller\n"
          " The ranker takes nobody's place: it ranks pods as DownscalePolicies ask for, also for "
          "the\n"
          " stock controllers.\n\n"
          " Each scale-down leaves a record of who went and why: at /decisions of the metrics "
          "port,\n"
          " in the file of --decision-log, and as an event on the ReplicaSet.\n\n"
          " SIGTERM or Ctrl-C: it finishes what is in flight, gives its lease back and exits with "
          "0.\n"
          " If it loses its lease it exits with 1, and has to be started again.",
      .examples =
          "  # On the cluster of the current context\n"
          "  {} controller\n\n"
          "  # Both controllers, without the client's own rate limit\n"
          "  {} controller --controllers=replicaset,deployment --kube-api-qps=0\n\n"
          "  # Only the ranker, beside the stock controllers\n"
          "  {} controller --controllers=ranker\n\n"
          "  # A record of every scale-down, and more to read\n"
          "  {} controller --decision-log=/var/log/ebb/decisions.jsonl -v=2 --log-format=json",
      .usage = "[options]"};
  return kHelp;
}

void ControllerCommand::declare(CLI::App& app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  access_.declare(app);
  app.add_option(
         "--controllers", controllers_,
         "The controllers to run: replicaset, deployment, ranker, * for all, *,-NAME for all but "
         "one")
      ->default_str("'replicaset'");
  app.add_option("--feature-gates", feature_gates_, feature_gates_help());
  app.add_flag("--leader-elect", leader_elect_,
               "Act only while holding a lease, so that several replicas can run; on, unless "
               "--leader-elect=false");
  app.add_option("--leader-elect-lease-duration", lease_duration_,
                 "How long others wait after the last renewal before they take over")
      ->default_str("15s");
  app.add_option("--leader-elect-renew-deadline", renew_deadline_,
                 "How long the leader acts without a renewal; at least 5s shorter, because a "
                 "request may be under way that long")
      ->default_str("10s");
  app.add_option("--leader-elect-retry-period", retry_period_,
                 "How often the lease is renewed, or tried to be taken")
      ->default_str("2s");
  app.add_option(
         "--leader-elect-resource-name", lease_name_,
         "The name of the lease, one for all controllers; those that run in processes of their "
         "own need another each, and a ranker alone has ebb-ranker")
      ->default_str("'ebb-controller'");
  app.add_option("--leader-elect-resource-namespace", lease_namespace_,
                 "The namespace of the lease")
      ->default_str("'kube-system'");
  app.add_option("--kube-api-qps", qps_,
                 "Requests per second to the API server; 0: no limit but the server's own")
      ->default_str("20");
  app.add_option("--kube-api-burst", burst_, "How many requests may exceed that at once")
      ->default_str("30");
  app.add_option("--kube-api-content-type", content_type_,
                 "How pods are read and made: in protobuf, or as application/json")
      ->default_str("'application/vnd.kubernetes.protobuf'");
  pickers_.declare(app);
  log_.declare(app);
  app.add_option("--bind-address", bind_address_,
                 "The IP address on which metrics and health are served")
      ->default_str("'127.0.0.1'");
  app.add_option("--metrics-port", metrics_port_,
                 "The port for /metrics, /healthz, /livez, /readyz and /decisions; 0: none")
      ->default_str("10280");
  app.add_option(
      "--tls-cert-file", certificate_file_,
      "File with a certificate (PEM) to serve them over TLS; without it over plain HTTP");
  app.add_option("--tls-private-key-file", key_file_, "File with the key to that certificate");
}

Result<void> ControllerCommand::read_limits(control::ProcessSettings& process) const {
  auto qps = parse_number("--kube-api-qps", qps_);
  if (!qps) return propagate(qps);
  auto burst = parse_int("--kube-api-burst", burst_, 1);
  if (!burst) return propagate(burst);
  process.qps = *qps;
  process.burst = *burst;
  if (content_type_ != kProtobuf && content_type_ != kJson) {
    return fail(ErrorCode::kUsage, fmt::format("--kube-api-content-type: expected {} or {}, got "
                                               "\"{}\"",
                                               kProtobuf, kJson, content_type_));
  }
  process.protobuf = content_type_ == kProtobuf;
  return {};
}

Result<control::LeaseSettings> ControllerCommand::lease(std::string_view by_default) const {
  control::LeaseSettings lease;
  const std::array<std::tuple<std::string_view, const std::string*, Nanoseconds*>, 3> spans = {{
      {"--leader-elect-lease-duration", &lease_duration_, &lease.duration_ns},
      {"--leader-elect-renew-deadline", &renew_deadline_, &lease.renew_deadline_ns},
      {"--leader-elect-retry-period", &retry_period_, &lease.retry_period_ns},
  }};
  for (const auto& [option, text, into] : spans) {
    auto span = parse_time_span(option, *text);
    if (!span) return propagate(span);
    *into = *span;
  }
  lease.name = lease_name_.value_or(std::string(by_default));
  if (lease.name.empty()) {
    return fail(ErrorCode::kUsage, "--leader-elect-resource-name: is empty");
  }
  if (lease_namespace_.empty()) {
    return fail(ErrorCode::kUsage, "--leader-elect-resource-namespace: is empty");
  }
  lease.name_space = lease_namespace_;
  lease.identity = identity();
  if (auto valid = control::validate(lease); !valid) return propagate(valid);
  return lease;
}

Result<void> ControllerCommand::read_server(runtime::ControllersSettings& settings) const {
  auto port = parse_port("--metrics-port", metrics_port_);
  if (!port) return propagate(port);
  if (bind_address_.empty()) return fail(ErrorCode::kUsage, "--bind-address: is empty");
  if (certificate_file_.empty() != key_file_.empty()) {
    return fail(ErrorCode::kUsage, "--tls-cert-file and --tls-private-key-file go together");
  }
  if (*port == 0) return {};
  runtime::HealthServerSettings server{.address = bind_address_, .port = *port};
  if (!certificate_file_.empty()) {
    std::istringstream none;
    auto certificate = read_text_file(certificate_file_, none);
    if (!certificate) {
      return fail(certificate.error().code, "--tls-cert-file: " + certificate.error().message);
    }
    auto key = read_text_file(key_file_, none);
    if (!key) return fail(key.error().code, "--tls-private-key-file: " + key.error().message);
    server.tls = net::KeyPair{std::move(*certificate), std::move(*key)};
  }
  settings.server = std::move(server);
  return {};
}

Result<runtime::ControllersSettings> ControllerCommand::settings() const {
  runtime::ControllersSettings settings;
  auto chosen = parse_controllers(controllers_, Offer::kControllers);
  if (!chosen) return propagate(chosen);
  if (!chosen->any()) {
    return fail(ErrorCode::kUsage, "--controllers: names none, so there is nothing to run");
  }
  settings.process.replica_sets = chosen->replica_sets;
  settings.process.deployments = chosen->deployments;
  settings.process.ranker = chosen->ranker;
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  settings.process.gates = *gates;
  settings.process.seed = random_number();
  auto elected = lease(chosen->lease_name());
  if (!elected) return propagate(elected);
  if (leader_elect_) settings.process.lease = std::move(*elected);
  if (auto read = read_limits(settings.process); !read) return propagate(read);
  if (auto read = pickers_.apply(settings.egress, settings.process.pickers); !read) {
    return propagate(read);
  }
  if (auto read = log_.apply(settings); !read) return propagate(read);
  if (auto read = read_server(settings); !read) return propagate(read);
  return settings;
}

Result<void> ControllerCommand::run(const Streams& streams) {
  auto settings = this->settings();
  if (!settings) return propagate(settings);
  const control::ProcessSettings process = settings->process;
  auto access = access_.find();
  if (!access) return propagate(access);
  const std::string server = kube::shown_server(access->server);
  auto stop = StopSignal::catch_signals(StopSignal::Hangup::kMeansSomethingElse);
  if (!stop) return propagate(stop);
  HangupHandler hangup;
  settings->give_up_start = &stop->came();
  runtime::Log log(settings->log, streams.err);
  auto controllers =
      runtime::Controllers::make(std::move(*settings), std::move(*access), streams.err);
  if (!controllers && stop->came()) {
    log.write(control::Severity::kInfo, 0, "stopped before it had begun");
    return {};
  }
  if (!controllers) {
    Error error = std::move(controllers.error());
    if (error.retryable) error.message += "; --metrics-port takes another, and 0 none";
    return tl::unexpected(std::move(error));
  }
  log.write(control::Severity::kInfo, 0,
            fmt::format("ebb {} runs {} on {}{}", EBB_VERSION, controllers_of(process).names(),
                        server, off_switch(process)));
  hangup.attach(**controllers);
  std::thread waiter([&] {
    stop->wait();
    (*controllers)->stop();
  });
  (*controllers)->run();
  stop->end_wait();
  waiter.join();
  hangup.detach();
  if ((*controllers)->lost_lease()) {
    return fail(ErrorCode::kIo, fmt::format("lost the lease {}/{}: another replica may act now, so "
                                            "this one ends",
                                            process.lease->name_space, process.lease->name));
  }
  if ((*controllers)->went_back()) {
    return fail(ErrorCode::kIo,
                "the API server's storage went back to an older state: started again, it begins "
                "from that");
  }
  log.write(control::Severity::kInfo, 0, "stopped");
  return {};
}

Completion ControllerCommand::complete(std::string_view option) const {
  if (option == "--controllers") return complete_controllers(Offer::kControllers);
  if (option == "--feature-gates") return complete_feature_gates();
  if (option == "--kube-api-content-type") {
    return {{std::string(kJson), std::string(kProtobuf)}, false};
  }
  if (option == "--bind-address") return {{"127.0.0.1", "0.0.0.0"}, false};
  if (option == "--kubeconfig" || option == "--tls-cert-file" ||
      option == "--tls-private-key-file") {
    return {{}, true};
  }
  return LogOptions::complete(option);
}

}  // namespace ebb::cli
