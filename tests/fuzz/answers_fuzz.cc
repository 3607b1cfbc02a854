// Fuzzes picker answers, in JSON and in protobuf. An answer is decoded or rejected; decoded names
// are valid text and not longer than the input. The demo's picker gets the same bytes as a
// request, and its answer, if any, can be decoded.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "base/check.h"
#include "demo/demo_picker.h"
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
  if (const auto answer = ebb::demo::demo_answer(bytes)) {
    EBB_CHECK(ebb::picker::decode_answer(*answer).has_value() || !is_text(bytes));
  }
  return 0;
}
