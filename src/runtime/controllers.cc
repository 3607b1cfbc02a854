#include "runtime/controllers.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kube/client.h"
#include "net/server/response_head.h"
#include "runtime/host/process_host.h"
#include "runtime/pages/kube_reviewer.h"
#include "runtime/pages/loopback_access.h"
#include "runtime/pages/own_addresses.h"
#include "runtime/pages/token_access.h"
#include "runtime/telemetry/live_telemetry.h"

namespace ebb::runtime {
namespace {

using control::Severity;

// Each picker call is logged from this verbosity on.
constexpr int kPickerRequestVerbosity = 3;
// Each request to the API server is logged from this verbosity on, as client-go does.
constexpr int kRequestVerbosity = 6;
// At shutdown: how long to wait for a decision log whose file is stalled.
constexpr Nanoseconds kMaxDecisionLogWaitNs = 2 * kNanosecondsPerSecond;
// A webhook with a watch that has been disconnected for longer is not ready: its caches are stale.
constexpr Nanoseconds kMaxWatchDownNs = 30 * kNanosecondsPerSecond;
// The maximum age of the reasons in /readyz.
constexpr Nanoseconds kIdlePeriodNs = kNanosecondsPerSecond / 4;

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

// A pipe that is not read must not block the thread that renews the lease.
LogSettings in_background(LogSettings settings) {
  settings.in_background = true;
  return settings;
}

}  // namespace

// Members are destroyed in reverse order of declaration.
struct Controllers::Impl : ProcessObserver {
  Impl(const ControllersSettings& settings, const kube::ClusterAccess& access, std::ostream& out)
      : log(in_background(settings.log), out),
        server_url(shown_url(access.server)),
        metrics(host_of(server_url)),
        process(settings.process, telemetry) {
    metrics.set_gates(settings.process.gates);
  }

  void request_over(const RequestEnd& end) override;
  void picker_request_over(std::string_view endpoint, const picker::Reply& reply) override;
  void turned(Now now, bool ready) override;

  void report_idle(Now now);
  // Why the API server should not call this replica; empty if it may.
  [[nodiscard]] std::string webhook_problem(Now now) const;
  [[nodiscard]] Result<void> start_server(ControllersSettings settings, kube::ClusterAccess access);
  // Fails if these addresses cannot be determined.
  [[nodiscard]] Result<void> forbid_own_addresses(const ControllersSettings& settings,
                                                  const kube::ClusterAccess& access,
                                                  net::EgressPolicy& egress);

  Log log;
  std::string server_url;  // without a password
  Metrics metrics;
  RecentDecisions recent_decisions;
  DecisionLog decision_log;
  LiveTelemetry telemetry{log, metrics, recent_decisions, decision_log};
  Health health;
  control::Process process;
  ReviewCalls reviews{kMaxWaitingReviews};
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<ProcessHost> host;
  std::unique_ptr<WebhookServer> webhook;
  std::unique_ptr<HealthServer> server;
  std::atomic<bool> reopen = false;
  // The last state reported to health_ about controllers that do not act, and its time.
  bool reported_leads = false;
  Timestamp reported_at = Timestamp::from_nanoseconds(0);
};

void Controllers::Impl::request_over(const RequestEnd& end) {
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

void Controllers::Impl::picker_request_over(std::string_view endpoint, const picker::Reply& reply) {
  if (!log.writes(kPickerRequestVerbosity)) return;
  std::string text = fmt::format("picker {}: {}", endpoint, to_string(reply.outcome));
  if (reply.code != 0) text += fmt::format(" {}", reply.code);
  if (!reply.detail.empty()) text += ": " + reply.detail;
  const control::Field fields[] = {
      {"picker", endpoint}, {"outcome", to_string(reply.outcome)}, {"code", reply.code}};
  log.write(Severity::kInfo, kPickerRequestVerbosity, text, fields);
}

void Controllers::Impl::turned(Now now, bool ready) {
  health.turned(now.mono);
  health.set_ready(ready);
  if (reopen.exchange(false)) decision_log.reopen();
  telemetry.report_decision_log(now.mono);
  metrics.log_lines_dropped(log.take_dropped());
  report_idle(now);
}

// A replica that waits for the lease is ready, whatever its guards report: the leader acts, or
// reports why it does not.
void Controllers::Impl::report_idle(Now now) {
  const bool leads = process.leads(now);
  if (leads == reported_leads && elapsed_ns(reported_at, now.mono) < kIdlePeriodNs) return;
  reported_leads = leads;
  reported_at = now.mono;
  std::vector<Health::Idle> idle;
  if (leads) {
    for (control::GuardStatus& status : process.guard_statuses(now)) {
      if (status.acting) continue;
      idle.push_back({.controller = std::string(status.controller),
                      .why = fmt::format("{}; {}", status.reason, status.remedy)});
    }
  }
  if (std::string problem = webhook_problem(now); !problem.empty()) {
    idle.push_back({.controller = "webhook", .why = std::move(problem)});
  }
  health.set_idle(std::move(idle));
}

std::string Controllers::Impl::webhook_problem(Now now) const {
  if (webhook == nullptr) return {};
  if (!webhook->ready()) return "it has no certificate yet; the log says why";
  const Timestamp since = process.watches_down_since(now);
  if (since.is_zero() || elapsed_ns(since, now.mono) <= kMaxWatchDownNs) return {};
  return fmt::format("a watch has been disconnected for {} s",
                     elapsed_ns(since, now.mono) / kNanosecondsPerSecond);
}

Result<void> Controllers::Impl::forbid_own_addresses(const ControllersSettings& settings,
                                                     const kube::ClusterAccess& access,
                                                     net::EgressPolicy& egress) {
  egress.own_ports.push_back(port_of_server(access.server));
  auto server_addresses = addresses_of_server(access.server);
  if (server_addresses) {
    egress.own = std::move(*server_addresses);
  } else if (access.proxy_url.empty()) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot resolve the API server's address, which picker calls must not "
                            "reach: {}",
                            server_addresses.error().message));
  } else {
    // The proxy may resolve a name that this process cannot.
    egress.closed = true;
    log.write(Severity::kError, 0,
              "pickers will not be called: cannot resolve the API server's address, which picker "
              "calls must not reach: " +
                  server_addresses.error().message);
  }
  if (auto service = address_of_service()) egress.own.push_back(*service);
  const auto ours = addresses_of_machine();
  egress.own.insert(egress.own.end(), ours.begin(), ours.end());
  if (settings.server && settings.server->port != 0) {
    egress.own_ports.push_back(settings.server->port);
  }
  if (settings.webhook) egress.own_ports.push_back(settings.webhook->port);
  return {};
}

Result<void> Controllers::Impl::start_server(ControllersSettings settings,
                                             kube::ClusterAccess access) {
  std::unique_ptr<PageAccess> page_access;
  if (is_on_loopback(*settings.server)) {
    page_access = std::make_unique<LoopbackAccess>();
  } else {
    EBB_ASSIGN_OR_RETURN(auto own_client,
                         kube::Client::make(std::move(access), settings.give_up_start));
    page_access = std::make_unique<TokenAccess>(
        std::move(settings.always_allowed_paths),
        std::make_unique<KubeReviewer>(std::move(own_client)), [this](const std::string& problem) {
          log.write(Severity::kWarning, 0,
                    "cannot authorize requests for metrics and decisions: " + problem);
        });
  }
  EBB_ASSIGN_OR_RETURN(server, HealthServer::start(std::move(*settings.server), health, metrics,
                                                   recent_decisions, std::move(page_access)));
  return {};
}

Controllers::Controllers(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Controllers::~Controllers() = default;

Result<std::unique_ptr<Controllers>> Controllers::make(ControllersSettings settings,
                                                       kube::ClusterAccess access,
                                                       std::ostream& log) {
  auto impl = std::make_unique<Impl>(settings, access, log);
  if (!settings.decision_log.empty()) {
    if (auto opened = impl->decision_log.open(settings.decision_log); !opened) {
      return fail(opened.error().code, "--decision-log: " + opened.error().message);
    }
  }
  net::EgressPolicy egress = settings.egress;
  EBB_RETURN_IF_ERROR(impl->forbid_own_addresses(settings, access, egress));
  EBB_ASSIGN_OR_RETURN(impl->client, kube::Client::make(access, settings.give_up_start));
  impl->host = std::make_unique<ProcessHost>(
      impl->process, *impl->client,
      picker_client::PickerClientSettings{.egress = std::move(egress)}, *impl,
      settings.webhook ? &impl->reviews : nullptr);
  if (settings.webhook) {
    EBB_ASSIGN_OR_RETURN(auto own_client, kube::Client::make(access, settings.give_up_start));
    EBB_ASSIGN_OR_RETURN(impl->webhook,
                         WebhookServer::start(std::move(*settings.webhook), std::move(own_client),
                                              impl->reviews, impl->log));
  }
  if (settings.server) {
    EBB_RETURN_IF_ERROR(impl->start_server(std::move(settings), std::move(access)));
  }
  return std::unique_ptr<Controllers>(new Controllers(std::move(impl)));
}

void Controllers::on_decision(std::function<void(const control::Decision&)> callback) {
  impl_->telemetry.on_decision(std::move(callback));
}

void Controllers::run() {
  impl_->host->run();
  // No review is answered any more.
  impl_->webhook.reset();
  impl_->decision_log.close(kMaxDecisionLogWaitNs);
  impl_->telemetry.report_closed_decision_log();
}
bool Controllers::lost_lease() const { return impl_->process.lost_lease(); }
bool Controllers::went_back() const { return impl_->process.went_back(); }
std::vector<control::GuardStatus> Controllers::guard_statuses() const {
  return impl_->process.guard_statuses(clock_now());
}
bool Controllers::canary_forbidden() const { return impl_->process.canary_forbidden(); }
void Controllers::stop() { impl_->host->stop(); }
void Controllers::reopen_decision_log() { impl_->reopen = true; }
bool Controllers::ready() const { return impl_->health.is_ready(); }
Log& Controllers::log() { return impl_->log; }
std::uint16_t Controllers::port() const {
  return impl_->server == nullptr ? 0 : impl_->server->port();
}
std::uint16_t Controllers::webhook_port() const {
  return impl_->webhook == nullptr ? 0 : impl_->webhook->port();
}

}  // namespace ebb::runtime
