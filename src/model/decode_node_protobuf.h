// Nodes in Kubernetes protobuf: their name and labels, which is all that a record has of the
// ten or more kilobytes that a node is.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/policy.h"
#include "model/pool.h"

namespace ebb::model {

// `message` is a serialised k8s.io.api.core.v1.Node, without an envelope.
[[nodiscard]] Result<Node> decode_node_protobuf(std::string_view message, Pool& pool);

}  // namespace ebb::model
