// The canary: an object without pods that every other controller of its kind acknowledges, because
// controllers write `status.observedGeneration` whenever they sync an object, even one with 0
// replicas. ebb never acknowledges its own canary, so a raised number means that another controller
// is acting.
//
// A canary is armed while its generation is above the observed one. Changing its spec arms it
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/timestamp.h"
#include "control/core/sole_controller.h"
#include "model/api/api.h"
#include "schema/core/kind.h"

namespace ebb::control {

// Deployments of ebb recognise each other's canaries by this label; its value is the kind.
inline constexpr std::string_view kCanaryLabel = "ebb.dev/canary";

[[nodiscard]] const schema::Kind& kind_of(GuardedKind guarded);
// "replicaset-controller", the same name as in kube-controller-manager.
[[nodiscard]] std::string_view controller_name(GuardedKind guarded);

struct Canary {
  std::string uid{};
  Timestamp created{};
  std::int64_t generation = 0;
  std::int64_t observed = 0;            // status.observedGeneration
  std::int64_t min_ready_seconds = -1;  // -1: unknown

  [[nodiscard]] bool armed() const { return generation > observed; }
};
// Nothing if the body is not an object with a uid.
[[nodiscard]] std::optional<Canary> read_canary(const Bytes& body);

[[nodiscard]] model::ApiRequest get_canary(GuardedKind guarded,
                                           const SoleControllerOptions& options);
[[nodiscard]] model::ApiRequest create_canary(GuardedKind guarded,
                                              const SoleControllerOptions& options);
// Refused if the canary has been replaced.
[[nodiscard]] model::ApiRequest arm_canary(GuardedKind guarded,
                                           const SoleControllerOptions& options,
                                           const Canary& canary);
[[nodiscard]] model::ApiRequest delete_canary(GuardedKind guarded,
                                              const SoleControllerOptions& options,
                                              const Canary& canary);

}  // namespace ebb::control
