#include "runtime/pages/health_server.h"

#include <chrono>
#include <utility>
#include <vector>

#include "net/address/ip_address.h"
#include "net/server/http_server.h"
#include "runtime/pages/health_pages.h"

namespace ebb::runtime {

namespace {

using std::chrono::seconds;

// The CA's key is thrown away: clients that verify certificates need one from files.
Result<net::KeyPair> self_signed_certificate(const std::string& address) {
  EBB_ASSIGN_OR_RETURN(auto authority, net::make_authority("ebb-controller-ca"));
  std::vector<std::string> names = {"localhost", "127.0.0.1", "::1"};
  if (address != "0.0.0.0" && address != "::") names.push_back(address);
  return net::issue_server_certificate(authority, names, "ebb-controller");
}

net::HttpServerSettings http_settings(const HealthServerSettings& settings) {
  net::HttpServerSettings http;
  http.address = settings.address;
  http.port = settings.port;
  http.tls = settings.tls;
  http.threads = 1;
  http.connections = 256;
  http.connections_per_peer = 64;
  http.evict_answering = true;
  // No page takes parameters; the largest header is the client's token.
  http.limits.header_bytes = 32UL << 10;
  http.head_time = seconds{5};
  http.write_time = seconds{5};
  http.idle_time = seconds{10};
  return http;
}

}  // namespace

bool is_on_loopback(const HealthServerSettings& settings) {
  const auto address = net::parse_ip(settings.address);
  return address && net::is_loopback(*address);
}

// Members are destroyed in reverse order: both the server and the access call the pages.
struct HealthServer::Impl {
  HealthPages pages;
  AccessPtr access;
  std::unique_ptr<net::HttpServer> server;
};

HealthServer::HealthServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HealthServer::~HealthServer() = default;

Result<std::unique_ptr<HealthServer>> HealthServer::start(HealthServerSettings settings,
                                                          const Health& health,
                                                          const Metrics& metrics,
                                                          const RecentDecisions& recent_decisions,
                                                          AccessPtr access) {
  PageAccess& reference = *access;
  auto impl = std::make_unique<Impl>(
      Impl{HealthPages(health, metrics, recent_decisions, reference), std::move(access), nullptr});
  if (!settings.tls && !is_on_loopback(settings)) {
    EBB_ASSIGN_OR_RETURN(settings.tls, self_signed_certificate(settings.address));
  }
  EBB_ASSIGN_OR_RETURN(impl->server, net::HttpServer::start(http_settings(settings), impl->pages));
  return std::unique_ptr<HealthServer>(new HealthServer(std::move(impl)));
}

std::uint16_t HealthServer::port() const { return impl_->server->port(); }

}  // namespace ebb::runtime
