// The pages that a running controller has for whoever asks over HTTP.
//
// Everybody who reaches the server may see how the process is and what it counts: probes and
// Prometheus ask from elsewhere. Decisions name workloads, pods and nodes of all tenants, so they
// are for those who can ask from the same machine or pod, as `kubectl port-forward` does.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"
#include "runtime/decision_book.h"
#include "runtime/health.h"
#include "runtime/metrics.h"

namespace ebb::runtime {

class HealthPages : public net::HttpHandler {
 public:
  // All must outlive it.
  HealthPages(const Health& health, const Metrics& metrics, const DecisionBook& book)
      : health_(health), metrics_(metrics), book_(book) {}

  [[nodiscard]] bool wants_body(const net::HttpRequest& /*head*/) override { return false; }
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  struct Page {
    int code = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string text{};
  };

  // In the words of Kubernetes' own endpoints.
  [[nodiscard]] static Page check(std::string_view endpoint, std::string_view name, bool good,
                                  std::string_view why);
  [[nodiscard]] Page page_at(std::string_view path, bool from_loopback) const;
  [[nodiscard]] Page decisions(bool from_loopback) const;

  const Health& health_;
  const Metrics& metrics_;
  const DecisionBook& book_;
};

}  // namespace ebb::runtime
