// The status of a ReplicaSet: what is counted, and whether and how it is written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <boost/json/object.hpp>

#include "base/timestamp.h"
#include "control/claim.h"
#include "control/store.h"

namespace ebb::control {

struct StatusCounts {
  std::int32_t replicas = 0;
  std::int32_t fully_labeled = 0;
  std::int32_t ready = 0;
  std::int32_t available = 0;
  std::optional<std::int32_t> terminating{};
  // Of the object that was acted upon.
  std::int64_t generation = 0;
  // On the wall clock: when the next Ready pod has been so for minReadySeconds; the zero time if
  // none is waiting for that.
  Timestamp next_available{};
};

// `active` are the claimed pods; the terminating ones are among `ignored`.
[[nodiscard]] StatusCounts count_status(const ReplicaSet& set,
                                        std::span<const model::Pod* const> active,
                                        std::span<const Claim::Ignored> ignored,
                                        bool counts_terminating, Timestamp now);

// Whether the pod counts as available, and if not when it will (the zero time: nobody knows).
struct Availability {
  bool available = false;
  Timestamp at;
};
[[nodiscard]] Availability availability(const model::Pod& pod, std::int32_t min_ready_seconds,
                                        Timestamp now);

// What a condition that holds says.
struct ConditionWords {
  std::string reason;
  std::string message;
};

// The conditions that are ours to say. One that does not hold is absent, as Kubernetes has it.
struct StatusConditions {
  std::optional<ConditionWords> failure{};  // ReplicaFailure: creating or deleting pods failed
  std::optional<ConditionWords> waiting{};  // RanksAwaited: a scale-down waits for ranks
};

// The ReplicaSet with the status to be written; nothing if it has that already.
[[nodiscard]] std::optional<boost::json::object> with_new_status(const ReplicaSet& set,
                                                                 const StatusCounts& counts,
                                                                 const StatusConditions& conditions,
                                                                 Timestamp now);

}  // namespace ebb::control
