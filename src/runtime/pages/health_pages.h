// The pages that a running controller serves over HTTP. PageAccess decides who may read them,
// because metrics and decisions name workloads, pods and nodes of all tenants.
#pragma once  // private to its room

#include <memory>
#include <string>
#include <string_view>

#include "net/server/http.h"
#include "runtime/pages/health.h"
#include "runtime/pages/page_access.h"
#include "runtime/telemetry/metrics.h"
#include "runtime/telemetry/recent_decisions.h"

namespace ebb::runtime {

class HealthPages : public net::HttpHandler {
 public:
  // All arguments must outlive it.
  HealthPages(const Health& health, const Metrics& metrics, const RecentDecisions& recent_decisions,
              PageAccess& access)
      : health_(health), metrics_(metrics), recent_decisions_(recent_decisions), access_(access) {}

  [[nodiscard]] bool wants_body(const net::HttpRequest& /*head*/) override { return false; }
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  struct Page {
    int code = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string text{};
  };

  // Uses the wording of Kubernetes' own endpoints.
  [[nodiscard]] static Page check(std::string_view endpoint, std::string_view name, bool good,
                                  std::string_view why);
  [[nodiscard]] static bool has(std::string_view path);
  [[nodiscard]] Page page_at(std::string_view path) const;
  [[nodiscard]] Page readiness() const;

  const Health& health_;
  const Metrics& metrics_;
  const RecentDecisions& recent_decisions_;
  PageAccess& access_;
};

}  // namespace ebb::runtime
