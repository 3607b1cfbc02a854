// The life of a pod on a node, as the kubelet stand-in plays it: init containers one after the
// other, then the containers start, become ready, perhaps crash or complete. Pure: what comes
// next, when, and what the pod's status says about it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "nodes/pod_script.h"
#include "nodes/settings.h"
#include "nodes/taints.h"

namespace ebb::nodes {

// What all pods of a template have in common.
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

struct PodLife {
  Stage stage = Stage::kCreating;
  std::uint32_t inits_done = 0;
  std::uint32_t restarts = 0;
  Timestamp accepted{};     // startTime
  Timestamp since{};        // the last step
  Timestamp initialized{};  // all init containers are through
  Timestamp started{};      // its containers, the last time
  Timestamp died{};         // its containers, the last time
  Timestamp lived_since{};  // when those that died had started
  Timestamp readiness{};    // when Ready last changed

  [[nodiscard]] bool is_over() const {
    return stage == Stage::kSucceeded || stage == Stage::kFailed;
  }
  [[nodiscard]] bool has_running_containers() const {
    return stage == Stage::kRunning || stage == Stage::kReady;
  }
};

// A pod that a kubelet has just taken on.
[[nodiscard]] PodLife accept_pod(const PodPlan& plan, Timestamp now);
// The life that a pod's status tells of, if a kubelet has taken it on before.
[[nodiscard]] std::optional<PodLife> resume_pod(const boost::json::object& pod);

// When the next step is due; the zero time if there is none.
[[nodiscard]] Timestamp next_step_at(const PodLife& life, const PodPlan& plan,
                                     const Settings& settings, std::uint64_t luck);
// Takes the step that is due.
void take_step(PodLife& life, const PodPlan& plan, const Settings& settings, std::uint64_t luck,
               Timestamp now);

struct PodPlace {
  std::string_view host_ip{};  // empty: not known yet
  std::string_view pod_ip{};   // empty: none yet
};

// All that a kubelet says in a pod's status, for a strategic merge patch.
[[nodiscard]] boost::json::object status_of(const PodLife& life, const PodPlan& plan,
                                            const PodPlace& place, std::string_view uid);

}  // namespace ebb::nodes
