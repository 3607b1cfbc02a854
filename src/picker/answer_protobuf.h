// A picker's answer over gRPC: ebb.picker.v1.PickResponse of api/picker/v1/picker.proto.
#pragma once

#include <string_view>

#include "base/result.h"
#include "picker/answer.h"

namespace ebb::picker {

// Unknown fields are skipped. A message that is truncated, not UTF-8, or has a field of the wrong
// type is malformed.
[[nodiscard]] Result<Answer> decode_answer_protobuf(std::string_view message);

}  // namespace ebb::picker
