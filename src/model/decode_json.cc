#include "model/decode_json.h"

#include <fmt/format.h>

#include "model/decode_object.h"
#include "model/json_error.h"
#include "model/text_position.h"

namespace ebb::model {

using simdjson::dom::element;

Result<void> JsonDecoder::decode(std::string_view text, Snapshot& into) {
  element document;
  const auto error = parser_.parse(text.data(), text.size(), false).get(document);
  if (error == simdjson::SUCCESS) return decode_object(document, {}, "", into);
  if (error == simdjson::CAPACITY || error == simdjson::MEMALLOC) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{} bytes are too much for one document; "
                                                      "split it into several files",
                                                      text.size()));
  }
  return decode_several(text, into);
}

// Several documents one after the other, as `kubectl get -o json` leaves them when
// it is run twice. Only tried when the text is no single document.
Result<void> JsonDecoder::decode_several(std::string_view text, Snapshot& into) {
  auto documents = split_json(text);
  if (!documents) return propagate(documents);
  for (const std::string_view document : *documents) {
    element root;
    const auto error = parser_.parse(document.data(), document.size(), false).get(root);
    const auto done = error == simdjson::SUCCESS
                          ? decode_object(root, {}, "", into)
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
