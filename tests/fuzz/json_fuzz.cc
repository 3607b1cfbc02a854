// Fuzzes snapshots in JSON. Inputs that begin with neither { nor [ are left to yaml_fuzz.cc.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "accepted.h"
#include "base/check.h"
#include "model/json/decode_json.h"
#include "model/json/list_decoder.h"

namespace {

// A list that the fast reader accepts is accepted by the full one too, with the same
// result.
void check_list(std::string_view text) {
  const simdjson::padded_string padded(text);
  ebb::model::Snapshot quick;
  if (!ebb::model::decode_list(padded, quick)) return;
  ebb::model::Snapshot thorough;
  EBB_CHECK(ebb::model::JsonDecoder().decode(padded, thorough).has_value());
  EBB_CHECK(quick.pods.size() == thorough.pods.size());
  EBB_CHECK(quick.replica_sets.size() == thorough.replica_sets.size());
  EBB_CHECK(quick.nodes.size() == thorough.nodes.size());
  EBB_CHECK(quick.skipped == thorough.skipped);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '{' && text[first] != '[')) return -1;
  ebb::fuzz::check_reading(text);
  check_list(text);
  return 0;
}
