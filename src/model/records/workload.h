// ReplicaSets and Deployments: the fields that decisions read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.h"
#include "model/records/pool.h"
#include "model/records/selector.h"

namespace ebb::model {

struct ReplicaSet {
  Interned name;
  Interned namespace_name;
  Interned uid;
  const ControllerRef* controller = nullptr;  // a Deployment or another kind; null: none
  Timestamp created;
  const LabelSet* labels = nullptr;
  std::uint64_t revision_seen = 0;  // its resourceVersion; 0 if not a number
  std::int64_t generation = 0;
  bool deleting = false;
  std::int32_t replicas = 1;
  std::int32_t min_ready_seconds = 0;
  // Of its status.
  std::int64_t observed_generation = 0;
  std::int32_t status_replicas = 0;
  std::int32_t fully_labeled = 0;
  std::int32_t ready = 0;
  std::int32_t available = 0;
  std::optional<std::int32_t> terminating;
  Selector selector;
  const LabelSet* template_labels = nullptr;
  bool has_picker = false;  // spec.downscalePodPicker
  // Set by the Deployment controller when it scales the ReplicaSet.
  std::optional<std::int32_t> desired_annotation;
  std::optional<std::int32_t> max_annotation;
  std::optional<std::int64_t> revision;
};

// `25%` or `3`.
struct IntOrPercent {
  std::int32_t value = 0;
  bool percent = false;
};

struct Deployment {
  Interned name;
  Interned namespace_name;
  Interned uid;
  Timestamp created;
  std::uint64_t revision_seen = 0;  // its resourceVersion; 0 if not a number
  std::int64_t generation = 0;
  bool deleting = false;
  std::int32_t replicas = 1;
  std::int64_t observed_generation = 0;
  std::int32_t status_replicas = 0;
  Selector selector;
  bool recreate = false;  // strategy Recreate, otherwise RollingUpdate
  IntOrPercent max_surge{25, true};
  bool has_picker = false;  // spec.downscalePodPicker
  std::optional<std::int64_t> revision;
};

}  // namespace ebb::model
