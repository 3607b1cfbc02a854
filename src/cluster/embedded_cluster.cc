#include "cluster/embedded_cluster.h"

#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cluster/api_host.h"
#include "cluster/change_log.h"
#include "cluster/clock.h"
#include "cluster/data_folder.h"
#include "cluster/demo.h"
#include "cluster/identity.h"
#include "cluster/residents.h"
#include "cluster/stand_ins.h"
#include "net/certificate.h"
#include "net/http_server.h"

namespace ebb::cluster {
namespace {

constexpr const char* kDatabase = "cluster.db";

// Uids must differ from those of earlier starts.
std::uint64_t random_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32U) | device();
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// The address under which clients on this machine reach a server that is bound so.
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

// In the order in which they are made; they go in the opposite one.
struct EmbeddedCluster::Parts {
  std::optional<DataFolder> folder;
  std::unique_ptr<LiveServer> server;
  std::unique_ptr<ApiHost> host;
  std::unique_ptr<net::HttpServer> http;
  std::unique_ptr<Residents> residents;
  Kubeconfig kubeconfig;

  [[nodiscard]] Result<void> start_server(const EmbeddedClusterSettings& settings);
  [[nodiscard]] Result<void> start_http(const EmbeddedClusterSettings& settings);
};

Result<void> EmbeddedCluster::Parts::start_server(const EmbeddedClusterSettings& settings) {
  std::optional<ChangeLog> log;
  if (folder) {
    auto opened = ChangeLog::open(folder->path() / kDatabase);
    if (!opened) return propagate(opened);
    log.emplace(std::move(*opened));
  }
  auto started = LiveServer::start({.seed = random_seed(), .gates = settings.gates}, std::move(log),
                                   {.caller = make_webhook_caller(), .tell = settings.tell});
  if (!started) return propagate(started);
  server = std::move(*started);
  return {};
}

Result<void> EmbeddedCluster::Parts::start_http(const EmbeddedClusterSettings& settings) {
  auto identity = folder ? keep_identity(folder->path()) : make_identity();
  if (!identity) return propagate(identity);
  auto certificate =
      net::issue_server_certificate(identity->authority, certified_hosts(settings.bind_address));
  if (!certificate) {
    return fail(
        ErrorCode::kInvalidInput,
        fmt::format("cannot listen on {}: {}", settings.bind_address, certificate.error().message));
  }
  host = std::make_unique<ApiHost>(*server, ApiHostSettings{.token = identity->token});
  net::HttpServerSettings http_settings;
  http_settings.address = settings.bind_address;
  http_settings.port = settings.port;
  http_settings.tls = std::move(*certificate);
  auto started = net::HttpServer::start(std::move(http_settings), *host);
  if (!started) {
    Error error = std::move(started.error());
    if (error.retryable) error.message += "; --port takes another, and 0 any that is free";
    return tl::unexpected(std::move(error));
  }
  http = std::move(*started);
  kubeconfig = {url_of(settings.bind_address, http->port()), identity->authority.certificate_pem,
                identity->token};
  return {};
}

EmbeddedCluster::EmbeddedCluster(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
EmbeddedCluster::~EmbeddedCluster() { stop(); }

Result<std::unique_ptr<EmbeddedCluster>> EmbeddedCluster::start(
    const EmbeddedClusterSettings& settings) {
  auto parts = std::make_unique<Parts>();
  if (settings.data_folder) {
    auto folder = DataFolder::open(*settings.data_folder);
    if (!folder) return propagate(folder);
    parts->folder.emplace(std::move(*folder));
  }
  if (auto started = parts->start_server(settings); !started) return propagate(started);
  if (auto started = parts->start_http(settings); !started) return propagate(started);
  nodes::Settings node_settings = settings.nodes;
  node_settings.seed = random_seed();
  if (settings.nodes_are_a_default && has_nodes(*parts->server)) node_settings.nodes.clear();
  auto machines = make_stand_ins(node_settings, settings.garbage_collector);
  if (settings.demo_load) machines.push_back(make_demo_load());
  parts->residents = std::make_unique<Residents>(*parts->server, std::move(machines));
  return std::unique_ptr<EmbeddedCluster>(new EmbeddedCluster(std::move(parts)));
}

const Kubeconfig& EmbeddedCluster::kubeconfig() const { return parts_->kubeconfig; }
LiveServer& EmbeddedCluster::server() { return *parts_->server; }
void EmbeddedCluster::wait_until_settled() { parts_->residents->wait_until_settled(); }

void EmbeddedCluster::stop() {
  // While there are connections to answer on: a webhook may take longer than they are kept for.
  if (parts_->server) parts_->server->stop_consulting();
  if (parts_->residents) parts_->residents->stop();
  if (parts_->http) parts_->http->stop();
  if (parts_->server) parts_->server->stop();
}

}  // namespace ebb::cluster
