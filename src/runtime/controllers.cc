#include "runtime/controllers.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kube/client.h"
#include "net/response_head.h"
#include "runtime/live_telemetry.h"
#include "runtime/own_addresses.h"
#include "runtime/process_host.h"

namespace ebb::runtime {
namespace {

using control::Severity;

// Each question to a picker is told from here on.
constexpr int kQuestionVerbosity = 3;
// Each request to the API server, as clients of Kubernetes do.
constexpr int kRequestVerbosity = 6;

// `127.0.0.1:6443` of `https://127.0.0.1:6443/path`.
std::string host_of(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
  }
  return std::string(url.substr(0, url.find('/')));
}

// Paths begin with a slash.
std::string shown_url(const std::string& server) {
  std::string url = kube::shown_server(server);
  if (url.ends_with('/')) url.pop_back();
  return url;
}

}  // namespace

// In the order in which they are made; they go in the opposite one.
struct Controllers::Parts : ProcessObserver {
  Parts(const ControllersSettings& settings, const kube::ClusterAccess& access, std::ostream& out)
      : log(settings.log, out),
        server_url(shown_url(access.server)),
        metrics(host_of(server_url)),
        process(settings.process, telemetry) {
    metrics.set_gates(settings.process.gates);
  }

  void request_over(const RequestEnd& end) override;
  void question_over(std::string_view endpoint, const picker::Reply& reply) override;
  void turned(Now now, bool ready) override;

  void forbid_own_addresses(const ControllersSettings& settings, const std::string& api_server,
                            net::EgressPolicy& egress);

  Log log;
  std::string server_url;  // without what it may have of a password
  Metrics metrics;
  DecisionBook book;
  LiveTelemetry telemetry{log, metrics, book};
  Health health;
  control::Process process;
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<ProcessHost> host;
  std::unique_ptr<HealthServer> server;
  std::atomic<bool> reopen = false;
};

void Controllers::Parts::request_over(const RequestEnd& end) {
  constexpr Nanoseconds kMillisecond = 1'000'000;
  const double seconds =
      static_cast<double>(end.taken_ns) / static_cast<double>(kNanosecondsPerSecond);
  metrics.request_over(end.method, end.code, end.watch ? std::nullopt : std::optional(seconds));
  if (!log.writes(kRequestVerbosity)) return;
  const std::string url =
      fmt::format("{}{}{}{}", server_url, end.path, end.query.empty() ? "" : "?", end.query);
  const std::string status =
      end.code == 0 ? std::string() : fmt::format("{} {}", end.code, net::reason_phrase(end.code));
  std::vector<control::Field> fields = {{"verb", end.method},
                                        {"url", url},
                                        {"status", status},
                                        {"milliseconds", end.taken_ns / kMillisecond}};
  if (!end.error.empty()) fields.emplace_back("err", end.error);
  log.write(Severity::kInfo, kRequestVerbosity, "Response", fields);
}

void Controllers::Parts::question_over(std::string_view endpoint, const picker::Reply& reply) {
  if (!log.writes(kQuestionVerbosity)) return;
  std::string text = fmt::format("picker {}: {}", endpoint, to_string(reply.outcome));
  if (reply.code != 0) text += fmt::format(" {}", reply.code);
  if (!reply.detail.empty()) text += ": " + reply.detail;
  const control::Field fields[] = {
      {"picker", endpoint}, {"outcome", to_string(reply.outcome)}, {"code", reply.code}};
  log.write(Severity::kInfo, kQuestionVerbosity, text, fields);
}

void Controllers::Parts::turned(Now now, bool ready) {
  health.turned(now.mono);
  health.set_ready(ready);
  if (!reopen.exchange(false)) return;
  if (const auto reopened = book.reopen(); !reopened) {
    log.write(Severity::kError, 0,
              "cannot open the decision log anew: " + reopened.error().message);
  }
}

void Controllers::Parts::forbid_own_addresses(const ControllersSettings& settings,
                                              const std::string& api_server,
                                              net::EgressPolicy& egress) {
  egress.own_ports.push_back(port_of_server(api_server));
  auto server_addresses = addresses_of_server(api_server);
  if (server_addresses) {
    egress.own = std::move(*server_addresses);
  } else {
    log.write(Severity::kWarning, 0,
              "cannot keep pickers away from the API server's address: " +
                  server_addresses.error().message);
  }
  const auto ours = addresses_of_machine();
  egress.own.insert(egress.own.end(), ours.begin(), ours.end());
  if (settings.server && settings.server->port != 0) {
    egress.own_ports.push_back(settings.server->port);
  }
}

Controllers::Controllers(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Controllers::~Controllers() = default;

Result<std::unique_ptr<Controllers>> Controllers::make(ControllersSettings settings,
                                                       kube::ClusterAccess access,
                                                       std::ostream& log) {
  auto parts = std::make_unique<Parts>(settings, access, log);
  if (!settings.decision_log.empty()) {
    if (auto opened = parts->book.open(settings.decision_log); !opened) {
      return fail(opened.error().code, "--decision-log: " + opened.error().message);
    }
  }
  net::EgressPolicy egress = settings.egress;
  parts->forbid_own_addresses(settings, access.server, egress);
  auto client = kube::Client::make(std::move(access), settings.give_up_start);
  if (!client) return propagate(client);
  parts->client = std::move(*client);
  parts->host = std::make_unique<ProcessHost>(
      parts->process, *parts->client, asker::AskerSettings{.egress = std::move(egress)}, *parts);
  if (settings.server) {
    auto started = HealthServer::start(std::move(*settings.server), parts->health, parts->metrics,
                                       parts->book);
    if (!started) return propagate(started);
    parts->server = std::move(*started);
  }
  return std::unique_ptr<Controllers>(new Controllers(std::move(parts)));
}

void Controllers::on_decision(std::function<void(const control::Decision&)> told) {
  parts_->telemetry.on_decision(std::move(told));
}

void Controllers::run() { parts_->host->run(); }
bool Controllers::lost_lease() const { return parts_->process.lost_lease(); }
bool Controllers::went_back() const { return parts_->process.went_back(); }
void Controllers::stop() { parts_->host->stop(); }
void Controllers::reopen_decision_log() { parts_->reopen = true; }
bool Controllers::ready() const { return parts_->health.is_ready(); }
std::uint16_t Controllers::port() const {
  return parts_->server == nullptr ? 0 : parts_->server->port();
}

}  // namespace ebb::runtime
