// From the text of JSON documents to records.
#pragma once

#include <string_view>

#include <simdjson.h>

#include "base/result.h"
#include "model/snapshot.h"

namespace ebb::model {

// Reads one or more JSON documents, each an object or a list of objects, fully
// validated. `text` must be followed by simdjson::SIMDJSON_PADDING readable bytes.
class JsonDecoder {
 public:
  [[nodiscard]] Result<void> decode(std::string_view text, Snapshot& into);

 private:
  [[nodiscard]] Result<void> decode_several(std::string_view text, Snapshot& into);

  simdjson::dom::parser parser_;  // keeps its buffers from document to document
};

}  // namespace ebb::model
