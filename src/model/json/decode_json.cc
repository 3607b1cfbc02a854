#include "model/json/decode_json.h"

#include <fmt/format.h>

#include "model/json/decode_object.h"
#include "model/json/json_error.h"
#include "model/json/text_position.h"

namespace ebb::model {

using simdjson::dom::element;

Result<void> JsonDecoder::decode(std::string_view text, Snapshot& into) {
  element document;
  const auto error = parser_.parse(text.data(), text.size(), false).get(document);
  if (error == simdjson::SUCCESS) return decode_object(document, {}, "", into, on_invalid_);
  if (error == simdjson::CAPACITY || error == simdjson::MEMALLOC) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{} bytes are too many for one document; "
                                                      "split it into several files",
                                                      text.size()));
  }
  return decode_several(text, into);
}

// Several documents in sequence, as two runs of `kubectl get -o json` leave them. Only tried if the
// text is not a single document.
Result<void> JsonDecoder::decode_several(std::string_view text, Snapshot& into) {
  EBB_ASSIGN_OR_RETURN(auto documents, split_json(text));
  for (const std::string_view document : documents) {
    element root;
    const auto error = parser_.parse(document.data(), document.size(), false).get(root);
    const auto done = error == simdjson::SUCCESS
                          ? decode_object(root, {}, "", into, on_invalid_)
                          : fail(ErrorCode::kInvalidInput, simdjson::error_message(error));
    if (done) continue;
    const auto offset = static_cast<std::size_t>(document.data() - text.data());
    return fail(
        done.error().code,
        fmt::format("document at {}: {}", describe_position(text, offset), done.error().message));
  }
  return {};
}

}  // namespace ebb::model
