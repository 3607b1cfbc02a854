// Serves /metrics, /healthz, /livez, /readyz and /decisions of a running controller over HTTP.
//
// Liveness probes must be answered whatever other clients do, because a failed probe restarts the
// controllers. So connections are few and short, and new ones replace old ones
// (net/server/connection_limits.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/tls/certificate.h"
#include "runtime/pages/health.h"
#include "runtime/pages/page_access.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/telemetry/recent_decisions.h"

namespace ebb::runtime {

struct HealthServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free port
  // Without a key pair: plain HTTP on loopback, elsewhere TLS with a self-signed certificate.
  std::optional<net::KeyPair> tls{};
};

// Whether only programs on this machine can reach the server.
[[nodiscard]] bool is_on_loopback(const HealthServerSettings& settings);

class HealthServer {
 public:
  using AccessPtr = std::unique_ptr<PageAccess>;

  // The server runs when this returns. The arguments must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<HealthServer>> start(
      HealthServerSettings settings, const Health& health, const Metrics& metrics,
      const RecentDecisions& recent_decisions, AccessPtr access);
  ~HealthServer();
  HealthServer(const HealthServer&) = delete;
  HealthServer& operator=(const HealthServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Impl;
  explicit HealthServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::runtime
