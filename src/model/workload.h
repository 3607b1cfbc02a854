// ReplicaSets and Deployments as far as decisions read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/timestamp.h"
#include "model/pool.h"
#include "model/selector.h"

namespace ebb::model {

struct ReplicaSet {
  Interned name;
  Interned name_space;
  Interned uid;
  const ControllerRef* controller = nullptr;  // its Deployment, or null
  Timestamp created;
  bool deleting = false;
  std::int32_t replicas = 1;
  std::int32_t status_replicas = 0;
  std::int32_t available = 0;  // status.availableReplicas
  Selector selector;
  const LabelSet* template_labels = nullptr;
  bool has_picker = false;  // spec.downscalePodPicker
  // Stamped by the Deployment controller when it scales the ReplicaSet.
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
  Interned name_space;
  Interned uid;
  bool deleting = false;
  std::int32_t replicas = 1;
  std::int32_t status_replicas = 0;
  bool recreate = false;  // strategy Recreate, otherwise RollingUpdate
  IntOrPercent max_surge{25, true};
  bool has_picker = false;  // spec.downscalePodPicker
  std::optional<std::int64_t> revision;
};

}  // namespace ebb::model
