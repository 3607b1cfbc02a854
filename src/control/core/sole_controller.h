// Two controllers of the same kind must not act at the same time: each counts pods that the other
// is about to create or delete. ebb's ReplicaSet and Deployment controllers therefore act only
// while a guard (canary_guard.h) finds no other controller of their kind in the cluster.
//
// This header has the options of the guards, and the status that each of them reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace ebb::control {

struct SoleControllerOptions {
  // The canaries: a ReplicaSet and a Deployment of this name. All processes that share a lease
  // share them; a process without a lease has its own.
  std::string namespace_name = "kube-system";
  std::string canary_name;
  // Deletes the canaries on a clean stop: for canaries that no other process uses.
  bool delete_on_stop = false;

  // How long a canary must be unacknowledged before ebb takes over.
  Nanoseconds take_over_ns = 60 * kNanosecondsPerSecond;
  // The same, if the lease of kube-controller-manager exists but is not renewed.
  Nanoseconds restart_wait_ns = 300 * kNanosecondsPerSecond;
  // The maximum by which forgeable signs of another controller can extend the wait in total.
  Nanoseconds max_extension_ns = 300 * kNanosecondsPerSecond;
  // How much longer it waits while another deployment of ebb has an older canary.
  Nanoseconds younger_wait_ns = 30 * kNanosecondsPerSecond;
  // How often a canary is read.
  Nanoseconds poll_period_ns = kNanosecondsPerSecond;
  // A write may start within this time after sending the last read that found the canary
  // unacknowledged. Less than the five seconds of I10.
  Nanoseconds clear_for_ns = 4 * kNanosecondsPerSecond;
  // How long after an acknowledgement, or after the last probe, the canary is armed again.
  Nanoseconds probe_period_ns = 30 * kNanosecondsPerSecond;
  // How long one ReplicaSet is left alone after a sign of another controller.
  Nanoseconds suspicion_ns = 10 * kNanosecondsPerSecond;
};

// The kind that a guarded controller controls.
enum class GuardedKind : std::uint8_t { kReplicaSets, kDeployments };

enum class GuardState : std::uint8_t {
  kProbing,    // waits until the canary has been unacknowledged for long enough
  kStandby,    // the wait is over, but another replica of this deployment leads
  kActing,     // is the only controller
  kBlocked,    // another controller has acknowledged the canary; keeps probing
  kForbidden,  // has no permissions on the canary: the process exits
};
[[nodiscard]] std::string_view to_string(GuardState state);  // "probing"

struct GuardStatus {
  std::string_view controller{};  // "replicaset-controller", "deployment-controller"
  GuardState state = GuardState::kProbing;
  bool acting = false;  // the controller may start writes
  // Why it does not act, in one sentence without a full stop; empty if it does.
  std::string reason{};
  std::string remedy{};  // what to do about it, in the same form
  Timestamp since{};     // when it entered this state, on the wall clock
};

}  // namespace ebb::control
