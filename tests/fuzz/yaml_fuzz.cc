// Fuzzes snapshots in YAML. An accepted text becomes valid JSON, document by document, and can be
// decoded.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "accepted.h"
#include "base/check.h"
#include "model/yaml/yaml_to_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto documents = ebb::model::yaml_to_json(text)) {
    simdjson::dom::parser parser;
    for (const auto& document : *documents) {
      EBB_CHECK(document.offset <= size);
      EBB_CHECK(parser.parse(document.json).error() == simdjson::SUCCESS);
    }
  }
  ebb::fuzz::check_reading(text);
  return 0;
}
