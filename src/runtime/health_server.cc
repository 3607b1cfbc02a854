#include "runtime/health_server.h"

#include <utility>

#include "net/http_server.h"
#include "runtime/health_pages.h"

namespace ebb::runtime {

// The server goes first: it calls the pages.
struct HealthServer::Parts {
  HealthPages pages;
  std::unique_ptr<net::HttpServer> server;
};

HealthServer::HealthServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
HealthServer::~HealthServer() = default;

Result<std::unique_ptr<HealthServer>> HealthServer::start(HealthServerSettings settings,
                                                          const Health& health,
                                                          const Metrics& metrics,
                                                          const DecisionBook& book) {
  auto parts = std::make_unique<Parts>(Parts{HealthPages(health, metrics, book), nullptr});
  net::HttpServerSettings http;
  http.address = std::move(settings.address);
  http.port = settings.port;
  http.tls = std::move(settings.tls);
  http.threads = 1;
  http.connections = 100;
  auto started = net::HttpServer::start(std::move(http), parts->pages);
  if (!started) return propagate(started);
  parts->server = std::move(*started);
  return std::unique_ptr<HealthServer>(new HealthServer(std::move(parts)));
}

std::uint16_t HealthServer::port() const { return parts_->server->port(); }

}  // namespace ebb::runtime
