// A controller process with everything around it: client, log, metrics, decision records and
// the server that tells of them. What `ebb controller` and `ebb up` run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "control/decision.h"
#include "control/process.h"
#include "kube/cluster_access.h"
#include "net/egress_policy.h"
#include "runtime/health_server.h"
#include "runtime/log.h"

namespace ebb::runtime {

struct ControllersSettings {
  control::ProcessSettings process{};
  LogSettings log{};
  std::string decision_log{};                    // a file; empty: none
  std::optional<HealthServerSettings> server{};  // nothing: none
  // Where pickers may be; our own addresses are added to it.
  net::EgressPolicy egress{};
  // Once this is true, make() gives up what takes long: a credential plugin that hangs.
  const std::atomic<bool>* give_up_start = nullptr;
};

class Controllers {
 public:
  // Serves metrics once this returns; nothing is sent before run(). `log` must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Controllers>> make(ControllersSettings settings,
                                                                 kube::ClusterAccess access,
                                                                 std::ostream& log);
  ~Controllers();
  Controllers(const Controllers&) = delete;
  Controllers& operator=(const Controllers&) = delete;

  // Called with each decision, from the thread in run().
  void on_decision(std::function<void(const control::Decision&)> told);

  // Returns after stop(), or when the lease was lost.
  void run();
  // After run().
  [[nodiscard]] bool lost_lease() const;
  [[nodiscard]] bool went_back() const;

  // From any thread. Finishes what is in flight and gives the lease back.
  void stop();
  // From any thread and from a signal handler: the decision log was moved away.
  void reopen_decision_log();
  // From any thread: everything has been read, or another replica leads.
  [[nodiscard]] bool ready() const;
  // Of the server; 0 if there is none.
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Parts;
  explicit Controllers(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::runtime
