// Nodes in Kubernetes protobuf. What decisions read of them is a small part of what is sent.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/node.h"
#include "model/pool.h"

namespace ebb::model {

// `message` is a serialised k8s.io.api.core.v1.Node, without an envelope. The record is the
// one that decode_node makes of the same node in JSON.
[[nodiscard]] Result<Node> decode_node_protobuf(std::string_view message, Pool& pool);

}  // namespace ebb::model
