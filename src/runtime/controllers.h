// A controller process with its environment: client, log, metrics, decision records and the server
// that exposes them. `ebb controller`, `ebb webhook` and `ebb up` run it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/core/decision.h"
#include "control/process/process.h"
#include "kube/cluster_access.h"
#include "net/address/egress_policy.h"
#include "runtime/pages/allowed_paths.h"
#include "runtime/pages/health_server.h"
#include "runtime/telemetry/log.h"
#include "runtime/webhook/webhook_server.h"

namespace ebb::runtime {

struct ControllersSettings {
  control::ProcessSettings process{};
  LogSettings log{};
  std::string decision_log{};                      // a file name; empty: no decision log
  std::optional<HealthServerSettings> server{};    // empty: no server
  AllowedPaths always_allowed_paths{};             // if the server is not on loopback
  std::optional<WebhookServerSettings> webhook{};  // with process.webhook
  // The allowed addresses of pickers. The process's own addresses are added as forbidden.
  net::EgressPolicy egress{};
  // Once this is true, make() abandons slow steps, such as a credential plugin that hangs.
  const std::atomic<bool>* give_up_start = nullptr;
};

class Controllers {
 public:
  // Metrics are served when this returns; no request is sent before run(). `log` must outlive the
  // Controllers, and the process if it is a pipe that may stall.
  [[nodiscard]] static Result<std::unique_ptr<Controllers>> make(ControllersSettings settings,
                                                                 kube::ClusterAccess access,
                                                                 std::ostream& log);
  ~Controllers();
  Controllers(const Controllers&) = delete;
  Controllers& operator=(const Controllers&) = delete;

  // Called with each decision, from the thread in run().
  void on_decision(std::function<void(const control::Decision&)> callback);

  // Returns after stop(), or when the lease was lost.
  void run();
  // Valid after run().
  [[nodiscard]] bool lost_lease() const;
  [[nodiscard]] bool went_back() const;
  [[nodiscard]] bool canary_forbidden() const;
  // The status of each guard against a second controller.
  [[nodiscard]] std::vector<control::GuardStatus> guard_statuses() const;

  // From any thread. Finishes requests in flight and releases the lease.
  void stop();
  // From any thread and from a signal handler, after the decision log was rotated.
  void reopen_decision_log();
  // From any thread. True once the caches are synced, or while another replica leads.
  [[nodiscard]] bool ready() const;
  // Written in the background until it is destroyed.
  [[nodiscard]] Log& log();
  // The server's port; 0 without a server.
  [[nodiscard]] std::uint16_t port() const;
  // The port of the webhook's server; 0 without one.
  [[nodiscard]] std::uint16_t webhook_port() const;

 private:
  struct Impl;
  explicit Controllers(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::runtime
