// The status of a ReplicaSet: its counts and conditions, and the object to write if they changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/cache/store.h"
#include "control/core/claim.h"

namespace ebb::control {

struct StatusCounts {
  std::int32_t replicas = 0;
  std::int32_t fully_labeled = 0;
  std::int32_t ready = 0;
  std::int32_t available = 0;
  std::optional<std::int32_t> terminating{};
  // Of the object that the sync acted on.
  std::int64_t generation = 0;
  std::int32_t min_ready_seconds = 0;
  // On the wall clock: when the next Ready pod reaches minReadySeconds; the zero time if no pod is
  // waiting for that.
  Timestamp next_available{};
};

// `active` are the claimed pods; the terminating ones are among `ignored`.
[[nodiscard]] StatusCounts count_status(const ReplicaSet& set,
                                        std::span<const model::Pod* const> active,
                                        std::span<const Claim::Ignored> ignored,
                                        bool counts_terminating, Timestamp now);

// How long until the next Ready pod counts as available, if any is waiting for that.
[[nodiscard]] std::optional<Nanoseconds> next_available_after_ns(const StatusCounts& counts,
                                                                 Timestamp now);

// Whether the pod counts as available, and if not, when it will (the zero time: unknown).
struct Availability {
  bool available = false;
  Timestamp at;
};
[[nodiscard]] Availability availability(const model::Pod& pod, std::int32_t min_ready_seconds,
                                        Timestamp now);

// Reason and message of a condition that holds.
struct ConditionText {
  std::string reason;
  std::string message;
};

// The conditions that ebb writes. A condition that does not hold is absent, as in Kubernetes.
struct StatusConditions {
  std::optional<ConditionText> failure{};  // ReplicaFailure: creating or deleting pods failed
  std::optional<ConditionText> waiting{};  // RanksAwaited: a scale-down waits for ranks
};

// Whether two states of a ReplicaSet have the same observed generation and counts.
[[nodiscard]] bool same_status(const model::ReplicaSet& a, const model::ReplicaSet& b);

// Most syncs change nothing. This tells without parsing the document, which is the expensive part.
[[nodiscard]] bool may_need_new_status(const ReplicaSet& set, const StatusCounts& counts,
                                       const StatusConditions& conditions);
// The ReplicaSet with the status to write; nothing if it already has that status.
[[nodiscard]] std::optional<boost::json::object> with_new_status(const ReplicaSet& set,
                                                                 const StatusCounts& counts,
                                                                 const StatusConditions& conditions,
                                                                 Timestamp now);

}  // namespace ebb::control
