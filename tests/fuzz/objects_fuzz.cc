// Objects of every kind in protobuf, as bodies of requests: whatever comes is read or refused, what
// is read is JSON, and can be written and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <simdjson.h>

#include "apiserver/decode.h"
#include "base/check.h"
#include "schema/envelope.h"
#include "schema/kind.h"
#include "schema/protobuf.h"

namespace {

namespace json = boost::json;

void check_text(std::string_view text) {
  EBB_CHECK(simdjson::validate_utf8(text.data(), text.size()));
}

void read_object(const ebb::schema::Kind& kind, std::string_view message) {
  const auto object = ebb::schema::decode_message(*kind.shape, message);
  if (!object) return check_text(object.error().message);
  check_text(json::serialize(*object));

  const auto encoded = ebb::schema::encode_message(*kind.shape, *object);
  EBB_CHECK(encoded.lost.empty());
  const auto again = ebb::schema::decode_message(*kind.shape, encoded.bytes);
  EBB_CHECK(again && *again == *object);

  const auto conformed = ebb::apiserver::conform(kind, {.value = *object, .duplicates = {}},
                                                 ebb::apiserver::FieldValidation::kStrict);
  if (conformed) {
    EBB_CHECK(ebb::schema::encode_message(*kind.shape, conformed->object).lost.empty());
  } else {
    check_text(conformed.error().message);
  }
}

}  // namespace

// The first byte says which kind it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto kinds = ebb::schema::kinds();
  const ebb::schema::Kind& kind = kinds[data[0] % kinds.size()];
  read_object(kind, bytes.substr(1));
  if (const auto envelope = ebb::schema::open_envelope(bytes)) {
    read_object(kind, envelope->message);
  }
  return 0;
}
