// What can be asked of a running controller over HTTP: /metrics, /healthz, /livez, /readyz and
// /decisions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/certificate.h"
#include "runtime/decision_book.h"
#include "runtime/health.h"
#include "runtime/metrics.h"

namespace ebb::runtime {

struct HealthServerSettings {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;             // 0: any free one
  std::optional<net::KeyPair> tls{};  // nothing: plain HTTP
};

class HealthServer {
 public:
  // Serves once this returns. The parts must outlive the server.
  [[nodiscard]] static Result<std::unique_ptr<HealthServer>> start(HealthServerSettings settings,
                                                                   const Health& health,
                                                                   const Metrics& metrics,
                                                                   const DecisionBook& book);
  ~HealthServer();
  HealthServer(const HealthServer&) = delete;
  HealthServer& operator=(const HealthServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Parts;
  explicit HealthServer(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::runtime
