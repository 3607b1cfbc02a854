// Pods in Kubernetes protobuf, as real API servers send them several times faster than JSON.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/pod.h"
#include "model/pool.h"

namespace ebb::model {

// `message` is a serialised k8s.io.api.core.v1.Pod, without an envelope. The record is
// the one that decode_pod makes of the same pod in JSON. Fields that no record has are skipped.
[[nodiscard]] Result<Pod> decode_pod_protobuf(std::string_view message, Pool& pool);

}  // namespace ebb::model
