#include "cli/webhook/webhook_command.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/common/identity.h"
#include "cli/common/run_controllers.h"
#include "cli/common/values.h"
#include "cli/webhook/webhook_address.h"
#include "hollow/duration.h"
#include "model/records/feature_gates.h"
#include "schema/core/name_rules.h"

namespace ebb::cli {
namespace {

constexpr std::string_view kDefaultService = "ebb-webhook";
constexpr std::string_view kLeaseName = "ebb-webhook";
constexpr std::string_view kSystemNamespace = "kube-system";
// A scale-down waits for the budget, and clients of the API server for the scale-down.
constexpr Nanoseconds kMinBudgetNs = 100 * kMillisecond;
constexpr Nanoseconds kMaxBudgetNs = 10 * kSecond;
// A stock controller that is refused for longer falls behind.
constexpr Nanoseconds kMaxFenceWindowNs = kMinute;

Result<Nanoseconds> parse_span_within(std::string_view option, std::string_view text,
                                      Nanoseconds least, Nanoseconds most,
                                      std::string_view expected) {
  const auto span = hollow::parse_duration(text);
  if (span && *span >= least && *span <= most) return *span;
  return fail(ErrorCode::kUsage,
              fmt::format("{}: expected a duration {}, got \"{}\"", option, expected, text));
}

Result<void> check_name(std::string_view option, const std::string& name) {
  const auto errors = schema::dns_subdomain_errors(name);
  if (errors.empty()) return {};
  return fail(ErrorCode::kUsage, fmt::format("{}: {}", option, errors.front()));
}

// Users separated by commas.
Result<std::vector<std::string>> parse_users(std::string_view text) {
  std::vector<std::string> users;
  while (true) {
    const std::string_view one = text.substr(0, text.find(','));
    if (one.empty()) {
      return fail(ErrorCode::kUsage,
                  "--controller-users: expected user names separated by commas; one is empty");
    }
    users.emplace_back(one);
    if (one.size() == text.size()) return users;
    text.remove_prefix(one.size() + 1);
  }
}

}  // namespace

const HelpText& WebhookCommand::help() const {
  static constexpr HelpText kHelp{
      .summary = "Run admission webhooks through which the stock controllers remove ebb's choice",
      .long_text =
          " For clusters whose controllers cannot be replaced, such as EKS, GKE and AKS. When a\n"
          " ReplicaSet that a DownscalePolicy targets is scaled down, the API server calls this\n"
          " process first. ebb chooses the pods to remove, with pickers and ranks, and lowers "
          "their\n"
          " deletion cost; the stock controller then removes them. A second webhook refuses its\n"
          " deletes of other pods for a moment, because it may not have seen the new costs yet.\n\n"
          " If ebb is slow, broken or gone, scale-downs go on without it. All replicas serve. "
          "Only\n"
          " namespaces with a DownscalePolicy are concerned, and never kube-system.\n\n"
          " ebb keeps the ValidatingWebhookConfiguration up to date, and issues its certificate\n"
          " from a certificate authority of its own, which it keeps in a Secret and renews.",
      .examples =
          "  # In a cluster, as deploy/webhook.yaml runs it\n"
          "  {} webhook --service=ebb-system/ebb-webhook --bind-address=0.0.0.0\n\n"
          "  # From a laptop that the API server can reach\n"
          "  {} webhook --external-url=https://192.168.1.20:9443\n\n"
          "  # With a certificate from cert-manager\n"
          "  {} webhook --tls-cert-file=/tls/tls.crt --tls-private-key-file=/tls/tls.key "
          "--ca-file=/tls/ca.crt",
      .usage = "[options]"};
  return kHelp;
}

void WebhookCommand::declare(CLI::App& app) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  access_.declare(app);
  app.add_option("--address", address_, "The IP address on which the API server's calls arrive")
      ->default_str("'0.0.0.0'");
  app.add_option("--port", port_, "The port on which the API server's calls arrive")
      ->default_str("9443");
  app.add_option("--service", service_,
                 "The Service by which the API server reaches the webhook, as NAMESPACE/NAME; by "
                 "default ebb-webhook in the namespace of --namespace");
  app.add_option("--external-url", external_url_,
                 "The URL by which the API server reaches the webhook, as https://HOST:PORT, in "
                 "place of a Service");
  app.add_option("--namespace", namespace_,
                 "The namespace of the Secret and the lease; by default that of the pod, or "
                 "kube-system outside a cluster");
  app.add_option("--configuration-name", configuration_name_,
                 "The name of the ValidatingWebhookConfiguration to keep up to date; empty if "
                 "something else does")
      ->default_str("'ebb-webhook'");
  app.add_option("--secret-name", secret_name_,
                 "The name of the Secret with ebb's certificate authority, which all replicas "
                 "share")
      ->default_str("'ebb-webhook-tls'");
  app.add_option(
      "--tls-cert-file", certificate_file_,
      "File with the certificate (PEM) to serve, in place of ebb's own; it is read again "
      "when it changes");
  app.add_option("--tls-private-key-file", key_file_,
                 "File with the private key of that certificate");
  app.add_option("--ca-file", ca_file_,
                 "File with the certificate authorities (PEM) by which the API server verifies "
                 "that certificate");
  app.add_option("--budget", budget_,
                 "How long a scale-down may be held, from 100ms to 10s: for the picker and for "
                 "writing the costs")
      ->default_str("2s");
  app.add_option("--fence-window", fence_window_,
                 "How long after a decision the stock controller's deletes of other pods may be "
                 "refused; 0s for never")
      ->default_str("5s");
  app.add_option("--controller-users", controller_users_,
                 "The users of the stock controllers, separated by commas; by default "
                 "system:serviceaccount:kube-system:replicaset-controller, "
                 "system:serviceaccount:kube-system:deployment-controller and "
                 "system:kube-controller-manager");
  app.add_option("--feature-gates", feature_gates_, feature_gates_help());
  api_limits_.declare(app);
  pickers_.declare(app);
  log_.declare(app);
  pages_.declare(app);
}

Result<control::WebhookSettings> WebhookCommand::limits() const {
  control::WebhookSettings webhook;
  EBB_ASSIGN_OR_RETURN(webhook.budget_ns, parse_span_within("--budget", budget_, kMinBudgetNs,
                                                            kMaxBudgetNs, "from 100ms to 10s"));
  EBB_ASSIGN_OR_RETURN(
      webhook.fence_window_ns,
      parse_span_within("--fence-window", fence_window_, 0, kMaxFenceWindowNs, "from 0s to 1m"));
  if (!controller_users_.empty()) {
    EBB_ASSIGN_OR_RETURN(webhook.controller_users, parse_users(controller_users_));
  }
  return webhook;
}

Result<runtime::WebhookServerSettings> WebhookCommand::server() const {
  runtime::WebhookServerSettings server;
  EBB_ASSIGN_OR_RETURN(server.port, parse_port("--port", port_));
  if (server.port == 0) return fail(ErrorCode::kUsage, "--port: must not be 0");
  if (address_.empty()) return fail(ErrorCode::kUsage, "--address: must not be empty");
  server.address = address_;
  const bool files = !certificate_file_.empty();
  if (files != !key_file_.empty() || files != !ca_file_.empty()) {
    return fail(ErrorCode::kUsage,
                "--tls-cert-file, --tls-private-key-file and --ca-file must be given together");
  }
  if (files) {
    server.certificate.files = runtime::CertificateFiles{
        .certificate = certificate_file_, .key = key_file_, .authorities = ca_file_};
  }
  EBB_RETURN_IF_ERROR(check_name("--secret-name", secret_name_));
  return server;
}

Result<runtime::ControllersSettings> WebhookCommand::settings() const {
  runtime::ControllersSettings settings;
  control::ProcessSettings& process = settings.process;
  process.replica_sets = false;
  process.deployments = false;
  process.decision_objects.emplace();
  process.seed = random_number();
  auto gates = model::FeatureGates::parse(feature_gates_);
  if (!gates) return fail(ErrorCode::kUsage, "--feature-gates: " + gates.error().message);
  process.gates = *gates;
  EBB_ASSIGN_OR_RETURN(process.webhook, limits());
  EBB_ASSIGN_OR_RETURN(settings.webhook, server());
  if (!external_url_.empty() && !service_.empty()) {
    return fail(ErrorCode::kUsage, "--external-url and --service: give only one of them");
  }
  // Checked here, so that a usage error does not depend on the cluster.
  runtime::ControllersSettings ignored = settings;
  EBB_RETURN_IF_ERROR(place(std::string(kSystemNamespace), ignored));
  EBB_RETURN_IF_ERROR(api_limits_.apply(process));
  EBB_RETURN_IF_ERROR(pickers_.apply(settings.egress, process.pickers));
  EBB_RETURN_IF_ERROR(log_.apply(settings));
  EBB_RETURN_IF_ERROR(pages_.apply(settings));
  return settings;
}

Result<void> WebhookCommand::place(const std::string& own_namespace,
                                   runtime::ControllersSettings& settings) const {
  const std::string namespace_name = namespace_.empty() ? own_namespace : namespace_;
  EBB_RETURN_IF_ERROR(check_name("--namespace", namespace_name));
  control::RegistrationSettings registration{.configuration = configuration_name_};
  runtime::CertificateSettings& certificate = settings.webhook->certificate;
  if (!external_url_.empty()) {
    EBB_ASSIGN_OR_RETURN(auto external, parse_external_url(external_url_));
    registration.url = std::move(external.url);
    certificate.hosts = {std::move(external.host)};
  } else {
    const std::string text =
        service_.empty() ? fmt::format("{}/{}", namespace_name, kDefaultService) : service_;
    EBB_ASSIGN_OR_RETURN(auto service, parse_service(text));
    certificate.hosts = {fmt::format("{}.{}.svc", service.name, service.namespace_name)};
    registration.service_namespace = std::move(service.namespace_name);
    registration.service_name = std::move(service.name);
  }
  registration.excluded_namespaces = {std::string(kSystemNamespace), namespace_name};
  certificate.secret = {.namespace_name = namespace_name, .name = secret_name_};
  certificate.configuration = configuration_name_;
  if (!configuration_name_.empty()) {
    EBB_RETURN_IF_ERROR(check_name("--configuration-name", configuration_name_));
    settings.process.registration = std::move(registration);
  }
  settings.process.webhook->cleanup_lease = control::LeaseSettings{.namespace_name = namespace_name,
                                                                   .name = std::string(kLeaseName),
                                                                   .identity = process_identity()};
  return {};
}

Result<void> WebhookCommand::run(const Streams& streams) {
  EBB_ASSIGN_OR_RETURN(auto settings, this->settings());
  EBB_ASSIGN_OR_RETURN(auto access, access_.find());
  // In a cluster there is no context, and the namespace is the pod's.
  EBB_RETURN_IF_ERROR(place(
      access.context.empty() ? access.namespace_name : std::string(kSystemNamespace), settings));
  const std::string first_line =
      fmt::format("starting ebb {}: webhook on {}, port {}", EBB_VERSION,
                  kube::shown_server(access.server), settings.webhook->port);
  return run_in_foreground(
      std::move(settings), std::move(access), streams,
      {.first_line = first_line,
       .port_advice = "; choose another port with --port or --metrics-port",
       .result = [](const runtime::Controllers&) -> Result<void> { return {}; }});
}

Completion WebhookCommand::complete(std::string_view option) const {
  if (option == "--feature-gates") return complete_feature_gates();
  if (option == "--picker-egress") return PickerOptions::complete_egress();
  if (option == "--kube-api-content-type") return ApiLimitOptions::complete_content_type();
  if (option == "--kubeconfig" || option == "--ca-file") return {{}, true};
  if (const Completion pages = PageOptions::complete(option); pages.files || !pages.words.empty()) {
    return pages;
  }
  return LogOptions::complete(option);
}

}  // namespace ebb::cli
