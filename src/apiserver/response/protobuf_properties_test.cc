// Properties of protobuf, for every kind of the schema table and random documents.
#include <string>
#include <utility>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/decode/decode.h"
#include "schema/core/kind.h"
#include "schema/protobuf/protobuf.h"
#include "support/objects/any_object.h"
#include "support/objects/wire_encoder.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

json::object conformed(const schema::Kind& kind, json::value value) {
  auto decoded = conform(kind, {std::move(value), {}}, FieldValidation::kIgnore);
  if (!decoded) RC_FAIL(decoded.error().message);
  return std::move(decoded->object);
}

const schema::Kind& any_kind() {
  const auto kinds = schema::kinds();
  return kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
}

json::object any_document(const schema::Kind& kind) {
  return conformed(kind, testing::any_object(*kind.schema, testing::Instants::kOnesThatFit));
}

json::object decoded(const schema::Kind& kind, std::string_view message) {
  Result<json::object> object = schema::decode_message(*kind.schema, message);
  if (!object) RC_FAIL(object.error().message);
  return *std::move(object);
}

RC_GTEST_PROP(Protobuf, HoldsWhatJsonHolds, ()) {
  const schema::Kind& kind = any_kind();
  const json::object object = any_document(kind);
  const schema::EncodedMessage encoded = schema::encode_message(*kind.schema, object);
  RC_ASSERT(encoded.lost == "");
  // As for a request: the decoder drops the fields that a Go program would drop.
  json::object back = decoded(kind, encoded.bytes);
  back["kind"] = kind.name;
  back["apiVersion"] = kind.api_version();
  RC_ASSERT(back == object);
  RC_ASSERT(json::serialize(conformed(kind, back)) == json::serialize(object));
}

RC_GTEST_PROP(Protobuf, NamesWhatItCannotHold, ()) {
  const schema::Kind& kind = any_kind();
  json::object object = any_document(kind);
  object["surplus"] = *rc::gen::arbitrary<int>();
  RC_ASSERT(schema::encode_message(*kind.schema, object).lost == "surplus: is not known");
}

// Any bytes are refused or decoded, and a decoded object can be encoded and decoded again.
RC_GTEST_PROP(Protobuf, SurvivesDamage, ()) {
  const schema::Kind& kind = any_kind();
  std::string message = schema::encode_message(*kind.schema, any_document(kind)).bytes;
  for (int i = *rc::gen::inRange(1, 4); i > 0 && !message.empty(); --i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, message.size());
    if (*rc::gen::inRange(0, 3) == 0) {
      message.resize(at);
    } else {
      message[at] = *rc::gen::arbitrary<char>();
    }
  }
  const Result<json::object> read = schema::decode_message(*kind.schema, message);
  if (!read) {
    RC_ASSERT(!read.error().message.empty());
    return;
  }
  const schema::EncodedMessage encoded = schema::encode_message(*kind.schema, *read);
  RC_ASSERT(encoded.lost == "");
  RC_ASSERT(decoded(kind, encoded.bytes) == *read);
}

}  // namespace
}  // namespace ebb::apiserver
