// The HTTPS server of `ebb webhook`, with its certificate.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "kube/client.h"
#include "runtime/host/review_calls.h"
#include "runtime/telemetry/log.h"
#include "runtime/webhook/certificate_settings.h"

namespace ebb::runtime {

// Reviews that wait for their answer at the same time; more are refused.
inline constexpr std::size_t kMaxWaitingReviews = 2'000;

struct WebhookServerSettings {
  std::string address = "0.0.0.0";
  std::uint16_t port = 9443;
  CertificateSettings certificate{};
};

class WebhookServer {
 public:
  // Listens when this returns, with a certificate that no API server trusts until the keeper has
  // the real one. `reviews` and `log` must outlive the server.
  [[nodiscard]] static Result<std::unique_ptr<WebhookServer>> start(
      WebhookServerSettings settings, std::unique_ptr<kube::Client> client, ReviewCalls& reviews,
      Log& log);
  ~WebhookServer();
  WebhookServer(const WebhookServer&) = delete;
  WebhookServer& operator=(const WebhookServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  // From any thread: whether it has its certificate.
  [[nodiscard]] bool ready() const;

 private:
  struct Impl;
  explicit WebhookServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::runtime
