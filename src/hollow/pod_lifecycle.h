// The lifecycle of a pod on a hollow node: init containers run one after the other, then the
// containers start, become ready, and possibly crash or complete. Pure functions: the next step,
// its time, and the pod's status.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "hollow/pod_script.h"
#include "hollow/settings.h"
#include "hollow/taints.h"

namespace ebb::hollow {

// The part of a pod's lifecycle that all pods of a template share.
struct PodPlan {
  struct Container {
    std::string name;
    std::string image;
    bool sidecar = false;  // an init container that keeps running

    friend auto operator<=>(const Container&, const Container&) = default;
  };
  std::vector<Container> inits{};
  std::vector<Container> containers{};
  bool restarts = true;          // restartPolicy is not Never
  bool on_host_network = false;  // its address is its node's
  std::vector<Toleration> tolerations{};
  PodScript script{};
  std::vector<std::string> complaints{};  // about annotations

  friend auto operator<=>(const PodPlan&, const PodPlan&) = default;
};

[[nodiscard]] PodPlan read_plan(const boost::json::object& pod);

enum class Stage : std::uint8_t { kCreating, kRunning, kReady, kBackOff, kSucceeded, kFailed };

struct PodLifecycle {
  Stage stage = Stage::kCreating;
  std::uint32_t inits_done = 0;
  std::uint32_t restarts = 0;
  Timestamp accepted{};     // startTime
  Timestamp since{};        // the last step
  Timestamp initialized{};  // all init containers are done
  Timestamp started{};      // its containers, the last time
  Timestamp died{};         // its containers, the last time
  Timestamp lived_since{};  // start of the containers that died
  Timestamp readiness{};    // when Ready last changed

  [[nodiscard]] bool is_over() const {
    return stage == Stage::kSucceeded || stage == Stage::kFailed;
  }
  [[nodiscard]] bool has_running_containers() const {
    return stage == Stage::kRunning || stage == Stage::kReady;
  }
};

// The lifecycle of a pod that a kubelet has just accepted.
[[nodiscard]] PodLifecycle accept_pod(const PodPlan& plan, Timestamp now);
// Reads the lifecycle from a pod's status, if a kubelet has accepted the pod before.
[[nodiscard]] std::optional<PodLifecycle> resume_pod(const boost::json::object& pod);

// Returns the time of the next step; the zero time if there is none.
[[nodiscard]] Timestamp next_step_at(const PodLifecycle& life, const PodPlan& plan,
                                     const Settings& settings, std::uint64_t random);
// Takes the step that is due.
void take_step(PodLifecycle& life, const PodPlan& plan, const Settings& settings,
               std::uint64_t random, Timestamp now);

struct PodPlace {
  std::string_view host_ip{};  // empty: unknown
  std::string_view pod_ip{};   // empty: none yet
};

// The status that a kubelet writes for a pod, as a strategic merge patch.
[[nodiscard]] boost::json::object status_of(const PodLifecycle& life, const PodPlan& plan,
                                            const PodPlace& place, std::string_view uid);

}  // namespace ebb::hollow
