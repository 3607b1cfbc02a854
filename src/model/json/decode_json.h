// Decodes JSON documents into records.
#pragma once

#include <string_view>

#include <simdjson.h>

#include "base/result.h"
#include "model/json/decode_object.h"
#include "model/records/snapshot.h"

namespace ebb::model {

// Reads one or more JSON documents, each an object or a list of objects, fully
// validated. `text` must be followed by simdjson::SIMDJSON_PADDING readable bytes.
class JsonDecoder {
 public:
  explicit JsonDecoder(OnInvalid on_invalid = OnInvalid::kFail) : on_invalid_(on_invalid) {}

  [[nodiscard]] Result<void> decode(std::string_view text, Snapshot& into);

 private:
  [[nodiscard]] Result<void> decode_several(std::string_view text, Snapshot& into);

  OnInvalid on_invalid_;
  simdjson::dom::parser parser_;  // keeps its buffers from document to document
};

}  // namespace ebb::model
