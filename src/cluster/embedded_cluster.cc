#include "cluster/embedded_cluster.h"

#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cluster/files/data_folder.h"
#include "cluster/files/identity.h"
#include "cluster/hosts/hollow_components.h"
#include "cluster/hosts/in_process_host.h"
#include "cluster/server/api_host.h"
#include "cluster/server/change_log.h"
#include "cluster/server/clock.h"
#include "net/server/http_server.h"
#include "net/tls/certificate.h"

namespace ebb::cluster {
namespace {

constexpr const char* kDatabase = "cluster.db";

// Uids must differ from those of earlier starts.
std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// The URL for clients on this machine of a server bound to this address.
std::string url_of(const std::string& address, std::uint16_t port) {
  const std::string host = address == "0.0.0.0" ? "127.0.0.1" : address == "::" ? "::1" : address;
  const bool brackets = host.find(':') != std::string::npos;
  return fmt::format("https://{}{}{}:{}", brackets ? "[" : "", host, brackets ? "]" : "", port);
}

std::vector<std::string> certified_hosts(const std::string& address) {
  std::vector<std::string> hosts = {"127.0.0.1", "::1", "localhost"};
  if (!is_any(address)) hosts.push_back(address);
  return hosts;
}

bool has_nodes(LiveServer& server) {
  model::ApiRequest list;
  list.path = "/api/v1/nodes";
  list.received = wall_now();
  return server.ask(std::move(list)).body.str().find(R"("items":[])") == std::string::npos;
}

}  // namespace

// In order of construction; destroyed in reverse.
struct EmbeddedCluster::Impl {
  std::optional<DataFolder> folder;
  std::unique_ptr<LiveServer> server;
  std::unique_ptr<ApiHost> host;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<InProcessHost> in_process_host;
  Kubeconfig kubeconfig;

  [[nodiscard]] Result<void> start_server(const EmbeddedClusterSettings& settings);
  [[nodiscard]] Result<void> start_http(const EmbeddedClusterSettings& settings);
};

Result<void> EmbeddedCluster::Impl::start_server(const EmbeddedClusterSettings& settings) {
  std::optional<ChangeLog> log;
  if (folder) {
    EBB_ASSIGN_OR_RETURN(auto opened, ChangeLog::open(folder->path() / kDatabase));
    log.emplace(std::move(opened));
  }
  EBB_ASSIGN_OR_RETURN(
      server, LiveServer::start({.seed = random_seed(), .gates = settings.gates}, std::move(log),
                                {.caller = make_webhook_caller(), .log_line = settings.log_line}));
  return {};
}

Result<void> EmbeddedCluster::Impl::start_http(const EmbeddedClusterSettings& settings) {
  EBB_ASSIGN_OR_RETURN(auto identity, folder ? keep_identity(folder->path()) : make_identity());
  auto certificate =
      net::issue_server_certificate(identity.authority, certified_hosts(settings.bind_address));
  if (!certificate) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("cannot listen on {}: {}", settings.bind_address, certificate.error().message));
  }
  host = std::make_unique<ApiHost>(*server, ApiHostSettings{.token = identity.token});
  net::HttpServerSettings http_settings;
  http_settings.address = settings.bind_address;
  http_settings.port = settings.port;
  http_settings.tls = std::move(*certificate);
  auto started = net::HttpServer::start(std::move(http_settings), *host);
  if (!started) {
    Error error = std::move(started.error());
    if (error.retryable) error.message += "; choose another with --port (0: any free port)";
    return tl::unexpected(std::move(error));
  }
  http = std::move(*started);
  kubeconfig = {url_of(settings.bind_address, http->port()), identity.authority.certificate_pem,
                identity.token};
  return {};
}

EmbeddedCluster::EmbeddedCluster(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
EmbeddedCluster::~EmbeddedCluster() { stop(); }

Result<std::unique_ptr<EmbeddedCluster>> EmbeddedCluster::start(
    const EmbeddedClusterSettings& settings) {
  auto impl = std::make_unique<Impl>();
  if (settings.data_folder) {
    EBB_ASSIGN_OR_RETURN(auto folder, DataFolder::open(*settings.data_folder));
    impl->folder.emplace(std::move(folder));
  }
  EBB_RETURN_IF_ERROR(impl->start_server(settings));
  EBB_RETURN_IF_ERROR(impl->start_http(settings));
  hollow::Settings node_settings = settings.nodes;
  node_settings.seed = random_seed();
  if (settings.nodes_are_a_default && has_nodes(*impl->server)) node_settings.nodes.clear();
  auto components = make_hollow_components(node_settings, settings.garbage_collector);
  if (settings.make_component) components.push_back(settings.make_component());
  impl->in_process_host = std::make_unique<InProcessHost>(*impl->server, std::move(components));
  return std::unique_ptr<EmbeddedCluster>(new EmbeddedCluster(std::move(impl)));
}

const Kubeconfig& EmbeddedCluster::kubeconfig() const { return impl_->kubeconfig; }
LiveServer& EmbeddedCluster::server() { return *impl_->server; }
void EmbeddedCluster::wait_until_settled() { impl_->in_process_host->wait_until_settled(); }

void EmbeddedCluster::stop() {
  // While connections still exist: a webhook may take longer than they are kept.
  if (impl_->server) impl_->server->stop_webhooks();
  if (impl_->in_process_host) impl_->in_process_host->stop();
  if (impl_->http) impl_->http->stop();
  if (impl_->server) impl_->server->stop();
}

}  // namespace ebb::cluster
