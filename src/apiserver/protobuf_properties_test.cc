// What must hold for every kind of the table and every document in protobuf.
#include <string>
#include <utility>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/decode.h"
#include "schema/kind.h"
#include "schema/protobuf.h"
#include "support/any_object.h"
#include "support/wire_encoder.h"

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
  return conformed(kind, testing::any_object(*kind.shape, testing::Instants::kOnesThatFit));
}

json::object decoded(const schema::Kind& kind, std::string_view message) {
  Result<json::object> object = schema::decode_message(*kind.shape, message);
  if (!object) RC_FAIL(object.error().message);
  return *std::move(object);
}

RC_GTEST_PROP(Protobuf, HoldsWhatJsonHolds, ()) {
  const schema::Kind& kind = any_kind();
  const json::object object = any_document(kind);
  const schema::EncodedMessage encoded = schema::encode_message(*kind.shape, object);
  RC_ASSERT(encoded.lost == "");
  // As a request does it: what a Go program would drop is dropped by the decoder already.
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
  RC_ASSERT(schema::encode_message(*kind.shape, object).lost == "surplus: is not known");
}

// Whatever comes over the wire is refused or read, and what was read can be written and read again.
RC_GTEST_PROP(Protobuf, SurvivesDamage, ()) {
  const schema::Kind& kind = any_kind();
  std::string message = schema::encode_message(*kind.shape, any_document(kind)).bytes;
  for (int i = *rc::gen::inRange(1, 4); i > 0 && !message.empty(); --i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, message.size());
    if (*rc::gen::inRange(0, 3) == 0) {
      message.resize(at);
    } else {
      message[at] = *rc::gen::arbitrary<char>();
    }
  }
  const Result<json::object> read = schema::decode_message(*kind.shape, message);
  if (!read) {
    RC_ASSERT(!read.error().message.empty());
    return;
  }
  const schema::EncodedMessage encoded = schema::encode_message(*kind.shape, *read);
  RC_ASSERT(encoded.lost == "");
  RC_ASSERT(decoded(kind, encoded.bytes) == *read);
}

}  // namespace
}  // namespace ebb::apiserver
