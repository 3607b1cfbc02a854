#include "runtime/webhook/webhook_server.h"

#include <chrono>
#include <utility>

#include "net/server/http_server.h"
#include "runtime/webhook/certificate_keeper.h"
#include "runtime/webhook/review_handler.h"

namespace ebb::runtime {
namespace {

using std::chrono::seconds;

// A review contains a ReplicaSet twice, and an object takes up to 1.5 MiB in etcd.
constexpr std::size_t kMaxBodyBytes = 4UL << 20U;
// The stock controller deletes up to 500 pods at once, and an API server opens a connection for
// each call that finds none idle. Several API servers may do so.
constexpr std::size_t kMaxConnections = 2'000;

net::HttpServerSettings http_settings(const WebhookServerSettings& settings,
                                      net::KeyPair certificate) {
  net::HttpServerSettings http;
  http.address = settings.address;
  http.port = settings.port;
  http.tls = std::move(certificate);
  http.threads = 2;
  http.connections = kMaxConnections;
  http.limits.body_bytes = kMaxBodyBytes;
  http.head_time = seconds{10};
  http.body_time = seconds{30};
  http.write_time = seconds{10};
  return http;
}

// Until the first real certificate is known.
Result<net::KeyPair> placeholder_certificate() {
  EBB_ASSIGN_OR_RETURN(auto authority, net::make_authority("ebb-webhook-placeholder"));
  return net::issue_server_certificate(authority, {"localhost"}, "ebb-webhook");
}

}  // namespace

// Members are destroyed in reverse order: the keeper calls the server, which calls the handler.
struct WebhookServer::Impl {
  explicit Impl(ReviewCalls& reviews) : handler(reviews) {}

  ReviewHandler handler;
  std::unique_ptr<net::HttpServer> server;
  std::unique_ptr<CertificateKeeper> keeper;
};

WebhookServer::WebhookServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WebhookServer::~WebhookServer() = default;

Result<std::unique_ptr<WebhookServer>> WebhookServer::start(WebhookServerSettings settings,
                                                            std::unique_ptr<kube::Client> client,
                                                            ReviewCalls& reviews, Log& log) {
  auto impl = std::make_unique<Impl>(reviews);
  EBB_ASSIGN_OR_RETURN(auto certificate, placeholder_certificate());
  EBB_ASSIGN_OR_RETURN(
      impl->server,
      net::HttpServer::start(http_settings(settings, std::move(certificate)), impl->handler));
  impl->keeper = std::make_unique<CertificateKeeper>(
      std::move(settings.certificate), std::move(client),
      CertificateKeeper::Callbacks{
          .publish = [&reviews](std::string pem) { reviews.set_ca_bundle(std::move(pem)); },
          .serve = [server = impl->server.get()](
                       const net::KeyPair& pair) { return server->replace_certificate(pair); },
          .log = [&log](control::Severity severity,
                        const std::string& text) { log.write(severity, 0, text); }});
  return std::unique_ptr<WebhookServer>(new WebhookServer(std::move(impl)));
}

std::uint16_t WebhookServer::port() const { return impl_->server->port(); }
bool WebhookServer::ready() const { return impl_->keeper->ready(); }

}  // namespace ebb::runtime
