// A picker's answer over gRPC: ebb.picker.v1.PickResponse of api/picker/v1/picker.proto.
#pragma once

#include <string_view>

#include "base/result.h"
#include "picker/answer.h"

namespace ebb::picker {

// Fields that mean nothing are skipped. What is cut off, is no UTF-8, or has another type
// than it should is malformed.
[[nodiscard]] Result<Answer> decode_answer_protobuf(std::string_view message);

}  // namespace ebb::picker
