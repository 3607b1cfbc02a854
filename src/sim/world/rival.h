// A second controller of ReplicaSets and Deployments that behaves like the stock ones: it has no
// canary and no lease, its caches lag, and it acknowledges the canaries of others, because it syncs
// every object. It starts, stops, restarts and is slow.
//
// It is an ebb controller process without a guard. Its writes are not checked: two controllers at
// once do too much, which is what the guard of the other processes prevents.
#pragma once  // private to its room

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "control/process/process.h"
#include "sim/core/random.h"
#include "sim/core/timeline.h"
#include "sim/core/trace.h"
#include "sim/core/truth.h"
#include "sim/link/link.h"

namespace ebb::sim {

struct RivalSettings {
  std::uint64_t seed = 1;
  bool deployments = true;
  bool lease = false;  // renews kube-controller-manager's lease
};

class Rival : public LinkUser, public LinkObserver {
 public:
  Rival(const LinkContext& link, Truth& truth, const RivalSettings& settings);
  ~Rival() override;

  // Starts and stops at random from now on.
  void begin();
  // Stops for good.
  void leave();
  void changed(const schema::Kind* kind);

  void answered(control::CallId id, const control::Answer& answer) override;
  void received(control::CallId id, std::string_view bytes) override;
  void executing(std::uint64_t tag) override;
  void executed(std::uint64_t tag, const model::ApiResponse& response) override;

 private:
  using Input = std::function<void(control::Process& process)>;
  // The pod of one of its calls.
  struct PodWrite {
    bool creates = false;
    std::string namespace_name{};
    std::string name{};
    std::string uid{};  // of a pod that is active when it is deleted
  };

  void act();
  void renew_lease();
  void start();
  void crash();
  void pause(Nanoseconds duration);
  void input(const Input& input);
  void carry_out();
  void set_alarm();
  [[nodiscard]] Now now() const;
  [[nodiscard]] std::uint64_t tag_of(const control::Call& call);

  LinkContext context_;
  Truth& truth_;
  RivalSettings settings_;
  Random random_;
  control::Telemetry silent_;
  std::unique_ptr<control::Process> process_;
  std::shared_ptr<Link> link_;
  std::map<std::uint64_t, PodWrite> pod_writes_;
  std::uint64_t next_tag_ = 1;
  std::uint64_t starts_ = 0;
  Timestamp alarm_;
  bool paused_ = false;
  bool left_ = false;
  bool held_ = false;
  std::deque<Input> missed_;
};

}  // namespace ebb::sim
