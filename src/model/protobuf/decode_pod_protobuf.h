// Decodes pods in Kubernetes protobuf, which API servers send several times faster than JSON.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/records/decoded.h"
#include "model/records/pod.h"
#include "model/records/pool.h"

namespace ebb::model {

// `message` is a serialised k8s.io.api.core.v1.Pod, without an envelope. The record equals the one
// that decode_pod makes of the same pod in JSON. Other fields are skipped.
[[nodiscard]] Decoded<Pod> read_pod_protobuf(std::string_view message, Pool& pool);
// Like read_pod_protobuf, but any problem is an error.
[[nodiscard]] Result<Pod> decode_pod_protobuf(std::string_view message, Pool& pool);

}  // namespace ebb::model
