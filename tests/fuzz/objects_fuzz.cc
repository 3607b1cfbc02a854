// Fuzzes objects of every kind in protobuf: request bodies, subresources and delete options. A
// message is decoded or rejected, and a decoded one is JSON that can be encoded and decoded
// again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <simdjson.h>

#include "apiserver/decode/decode.h"
#include "base/check.h"
#include "schema/core/envelope.h"
#include "schema/core/kind.h"
#include "schema/protobuf/protobuf.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_reviews.h"

namespace {

namespace json = boost::json;

void check_text(std::string_view text) {
  EBB_CHECK(simdjson::validate_utf8(text.data(), text.size()));
}

void read_object(const ebb::schema::Kind& kind, std::string_view message) {
  const auto object = ebb::schema::decode_message(*kind.schema, message);
  if (!object) return check_text(object.error().message);
  check_text(json::serialize(*object));

  const auto encoded = ebb::schema::encode_message(*kind.schema, *object);
  EBB_CHECK(encoded.lost.empty());
  const auto again = ebb::schema::decode_message(*kind.schema, encoded.bytes);
  EBB_CHECK(again && *again == *object);

  const auto conformed = ebb::apiserver::conform(kind, {.value = *object, .duplicates = {}},
                                                 ebb::apiserver::FieldValidation::kStrict);
  if (conformed) {
    EBB_CHECK(ebb::schema::encode_message(*kind.schema, conformed->object).lost.empty());
  } else {
    check_text(conformed.error().message);
  }
}

// All that the API server reads from protobuf. The files of the corpus end in a place of this list.
const std::vector<ebb::schema::Kind>& readable_kinds() {
  namespace schema = ebb::schema;
  static const std::vector<schema::Kind> kKinds = [] {
    const auto stored = schema::kinds();
    std::vector<schema::Kind> kinds;
    std::copy_if(stored.begin(), stored.end(), std::back_inserter(kinds),
                 [](const schema::Kind& kind) { return !kind.custom; });
    kinds.insert(kinds.end(),
                 {schema::scale_kind(),
                  schema::binding_kind(),
                  schema::eviction_kind(),
                  {.version = "v1", .name = "DeleteOptions", .schema = &schema::kDeleteOptions}});
    const auto reviews = schema::review_kinds();
    kinds.insert(kinds.end(), reviews.begin(), reviews.end());
    return kinds;
  }();
  return kKinds;
}

}  // namespace

// The last byte says which kind it is: the first ones are the same in every envelope.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size - 1);
  const auto& kinds = readable_kinds();
  const ebb::schema::Kind& kind = kinds[data[size - 1] % kinds.size()];
  if (const auto envelope = ebb::schema::open_envelope(bytes)) {
    read_object(kind, envelope->message);
  } else {
    read_object(kind, bytes);
  }
  return 0;
}
