// Answers of pickers, in JSON and in protobuf: whatever comes is read or refused, what is read is
// text, and no more of it than came.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "base/check.h"
#include "picker/answer.h"
#include "picker/answer_protobuf.h"

namespace {

using ebb::picker::Answer;

bool is_text(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

void check(const ebb::Result<Answer>& answer, std::size_t size) {
  if (!answer) {
    EBB_CHECK(answer.error().code == ebb::ErrorCode::kInvalidInput);
    EBB_CHECK(is_text(answer.error().message) && answer.error().message.size() < 500);
    return;
  }
  std::size_t read = 0;
  const auto count = [&](const auto& names) {
    for (const std::string_view name : names) {
      EBB_CHECK(is_text(name));
      // Each name takes more than itself: quotes, or a tag and its length.
      read += name.size() + 2;
    }
  };
  count(answer->chosen);
  count(answer->tied);
  count(answer->other_keys);
  EBB_CHECK(read <= size);
  EBB_CHECK(answer->other_keys.size() <= 16);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check(ebb::picker::decode_answer(bytes), size);
  check(ebb::picker::decode_answer_protobuf(bytes), size);
  return 0;
}
