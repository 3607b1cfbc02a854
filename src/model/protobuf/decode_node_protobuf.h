// Decodes nodes in Kubernetes protobuf. Decisions read only a small part of the message.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/records/decoded.h"
#include "model/records/node.h"
#include "model/records/pool.h"

namespace ebb::model {

// `message` is a serialised k8s.io.api.core.v1.Node, without an envelope. The record equals the one
// that decode_node makes of the same node in JSON.
[[nodiscard]] Decoded<Node> read_node_protobuf(std::string_view message, Pool& pool);
// Like read_node_protobuf, but any problem is an error.
[[nodiscard]] Result<Node> decode_node_protobuf(std::string_view message, Pool& pool);

}  // namespace ebb::model
