#include "runtime/health_server.h"

#include <utility>

#include <fmt/format.h>

#include "net/http_server.h"
#include "runtime/clock.h"

namespace ebb::runtime {
namespace {

struct Page {
  int code = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string text;
};

// In the words of Kubernetes' own endpoints.
Page check(std::string_view endpoint, std::string_view name, bool good, std::string_view why) {
  if (good) return {.text = "ok"};
  return {.code = 500,
          .text = fmt::format("[-]{} failed: {}\n{} check failed\n", name, why, endpoint)};
}

class Pages : public net::HttpHandler {
 public:
  Pages(const Health& health, const Metrics& metrics, const DecisionBook& book)
      : health_(health), metrics_(metrics), book_(book) {}

  bool wants_body(const net::HttpRequest& /*head*/) override { return false; }

  void handle(std::shared_ptr<net::HttpExchange> exchange) override {
    const net::HttpRequest& request = exchange->request();
    if (request.method != "GET" && request.method != "HEAD") {
      return exchange->respond({.code = 405, .headers = {{"Allow", "GET, HEAD"}}},
                               Bytes("only GET is possible here\n"));
    }
    Page page = page_at(request.path);
    exchange->respond(
        {.code = page.code,
         .headers = {{"Content-Type", page.content_type}, {"X-Content-Type-Options", "nosniff"}}},
        Bytes(std::move(page.text)));
  }

 private:
  [[nodiscard]] Page page_at(std::string_view path) const {
    if (path == "/metrics") {
      return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .text = metrics_.text()};
    }
    if (path == "/decisions") return {.content_type = "application/json", .text = book_.list()};
    if (path == "/healthz" || path == "/livez") {
      return check(path.substr(1), "loop", health_.is_alive(clock_now().mono),
                   "nothing has happened for half a minute");
    }
    if (path == "/readyz") {
      return check("readyz", "synced", health_.is_ready(), "the cluster has not been read yet");
    }
    return {.code = 404, .text = "there is /metrics, /healthz, /livez, /readyz and /decisions\n"};
  }

  const Health& health_;
  const Metrics& metrics_;
  const DecisionBook& book_;
};

}  // namespace

// The server goes first: it calls the pages.
struct HealthServer::Parts {
  Pages pages;
  std::unique_ptr<net::HttpServer> server;
};

HealthServer::HealthServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
HealthServer::~HealthServer() = default;

Result<std::unique_ptr<HealthServer>> HealthServer::start(HealthServerSettings settings,
                                                          const Health& health,
                                                          const Metrics& metrics,
                                                          const DecisionBook& book) {
  auto parts = std::make_unique<Parts>(Parts{Pages(health, metrics, book), nullptr});
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
