#include "model/decode_json.h"

#include <optional>

#include <fmt/format.h>

#include "model/decode_object.h"
#include "model/json_error.h"

namespace ebb::model {
namespace {

using simdjson::dom::element;

// A member of a list's envelope; none if it is absent or null.
Result<std::optional<std::string_view>> string_member(simdjson::dom::object object,
                                                      std::string_view key) {
  element value;
  if (object[key].get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{}: expected a string", key));
  }
  return text;
}

Result<void> decode_items(element items, const ItemType& type, Snapshot& into) {
  simdjson::dom::array array;
  if (items.is_null()) return {};
  if (items.get(array) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, "items: expected a list");
  }
  std::size_t index = 0;
  for (const element item : array) {
    if (!item.is_object()) {
      return fail(ErrorCode::kInvalidInput, fmt::format("items[{}]: expected an object", index));
    }
    if (auto done = decode_object(item, type, fmt::format("items[{}]", index), into); !done) {
      return propagate(done);
    }
    ++index;
  }
  return {};
}

// A document is one object, or a list: `List` itself or `PodList` and the like.
Result<void> decode_document(element document, Snapshot& into) {
  simdjson::dom::object object;
  if (document.get(object) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput,
                "expected a Kubernetes object or list with apiVersion and kind at the top");
  }
  auto kind = string_member(object, "kind");
  if (!kind) return propagate(kind);
  auto api_version = string_member(object, "apiVersion");
  if (!api_version) return propagate(api_version);
  element items;
  if (!*kind || !(*kind)->ends_with("List") || object["items"].get(items) != simdjson::SUCCESS) {
    return decode_object(document, {}, "", into);
  }
  ItemType type;
  if (**kind != "List") {
    type = {api_version->value_or(""), (*kind)->substr(0, (*kind)->size() - 4)};
  }
  return decode_items(items, type, into);
}

}  // namespace

Result<void> JsonDecoder::decode(std::string_view text, Snapshot& into) {
  element document;
  const auto error = parser_.parse(text.data(), text.size(), false).get(document);
  if (error == simdjson::SUCCESS) return decode_document(document, into);
  if (error == simdjson::CAPACITY || error == simdjson::MEMALLOC) {
    return fail(ErrorCode::kInvalidInput, fmt::format("{} bytes are too much for one document; "
                                                      "split it into several files",
                                                      text.size()));
  }
  return decode_stream(text, into);
}

// Several documents one after the other, as `kubectl get -o json` leaves them when
// it is run twice. Only tried when the text is no single document.
Result<void> JsonDecoder::decode_stream(std::string_view text, Snapshot& into) {
  if (auto error = find_json_error(text)) return fail(ErrorCode::kInvalidInput, *error);
  simdjson::dom::document_stream stream;
  if (parser_.parse_many(text.data(), text.size(), text.size()).get(stream) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, "is no valid JSON");
  }
  for (auto document : stream) {
    element root;
    if (const auto error = std::move(document).get(root); error != simdjson::SUCCESS) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("is no valid JSON: {}", simdjson::error_message(error)));
    }
    if (auto done = decode_document(root, into); !done) return propagate(done);
  }
  if (stream.truncated_bytes() != 0) {
    return fail(ErrorCode::kInvalidInput, "is no valid JSON: the last document is not complete");
  }
  return {};
}

}  // namespace ebb::model
