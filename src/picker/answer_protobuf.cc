#include "picker/answer_protobuf.h"

#include <simdjson.h>

#include "base/wire_reader.h"

namespace ebb::picker {

Result<Answer> decode_answer_protobuf(std::string_view message) {
  Answer answer;
  WireReader reader(message);
  while (reader.next()) {
    if (reader.field() != 1 && reader.field() != 2) continue;
    const std::string_view name = reader.bytes();
    if (!simdjson::validate_utf8(name.data(), name.size())) {
      return fail(ErrorCode::kInvalidInput, "a name is not valid UTF-8");
    }
    (reader.field() == 1 ? answer.chosen : answer.tied).push_back(name);
  }
  if (!reader.ok()) return fail(ErrorCode::kInvalidInput, "is not an ebb.picker.v1.PickResponse");
  return answer;
}

}  // namespace ebb::picker
