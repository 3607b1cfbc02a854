// A second controller of ReplicaSets and Deployments that behaves like the stock ones: it has no
// canary and no lease, its caches lag, and it acknowledges the canaries of others, because it syncs
// every object. It starts, stops, restarts and is slow.
//
// It is an ebb controller process without a guard. Its writes are not checked: two controllers at
// once do too much, which is what the guard of the other processes prevents.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <string>

#include "sim/core/random.h"
#include "sim/core/truth.h"
#include "sim/world/driven_process.h"

namespace ebb::sim {

struct RivalSettings {
  std::uint64_t seed = 1;
  bool deployments = true;
  bool lease = false;  // renews kube-controller-manager's lease
};

class Rival final : public DrivenProcess {
 public:
  Rival(const LinkContext& link, Truth& truth, const RivalSettings& settings)
      : DrivenProcess(link, 5000 * kSecond),
        truth_(truth),
        settings_(settings),
        random_(settings.seed) {}

  // Starts and stops at random from now on.
  void begin();
  // Stops for good.
  void leave();

  void executing(std::uint64_t tag) override;
  void executed(std::uint64_t tag, const model::ApiResponse& response) override;

 private:
  // The pod of one of its calls.
  struct PodWrite {
    bool creates = false;
    std::string namespace_name{};
    std::string name{};
    std::string uid{};  // of a pod that is active when it is deleted
  };

  void act();
  void renew_lease();
  void start_stock();
  void carry_out_more(control::Process& process) override;
  std::uint64_t tag_of(const control::Call& call) override;
  void ended() override { held_ = false; }

  Truth& truth_;
  RivalSettings settings_;
  Random random_;
  control::Telemetry silent_;
  std::map<std::uint64_t, PodWrite> pod_writes_;
  std::uint64_t next_tag_ = 1;
  bool left_ = false;
  bool held_ = false;
};

}  // namespace ebb::sim
