#include "model/decode_pod_protobuf.h"

namespace ebb::model {

Result<Pod> decode_pod_protobuf(std::string_view /*message*/, Pool& /*pool*/) {
  return fail(ErrorCode::kInvalidInput, "pods in protobuf cannot be read yet");
}

}  // namespace ebb::model
