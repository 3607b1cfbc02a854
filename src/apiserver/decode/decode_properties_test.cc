// Properties of decoding, for every kind of the schema table and random documents.
#include <string>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/decode/decode.h"
#include "schema/core/kind.h"
#include "support/objects/any_object.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using testing::any_object;

json::object conformed(const schema::Kind& kind, json::value value) {
  auto decoded = conform(kind, {std::move(value), {}}, FieldValidation::kIgnore);
  if (!decoded) RC_FAIL(decoded.error().message);
  return std::move(decoded->object);
}

json::object with_defaults(const schema::Kind& kind, json::object object) {
  apply_defaults(*kind.schema, object);
  return object;
}

RC_GTEST_PROP(Decode, IsDoneOnceForAll, ()) {
  const auto kinds = schema::kinds();
  const schema::Kind& kind = kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
  const json::object once = conformed(kind, any_object(*kind.schema));
  // The text is compared, so that the order of the fields counts as well.
  RC_ASSERT(json::serialize(conformed(kind, once)) == json::serialize(once));

  const json::object defaulted = with_defaults(kind, once);
  RC_ASSERT(with_defaults(kind, defaulted) == defaulted);
  RC_ASSERT(with_defaults(kind, conformed(kind, defaulted)) == defaulted);
}

RC_GTEST_PROP(Decode, TakesTextAndValueAlike, ()) {
  const auto kinds = schema::kinds();
  const schema::Kind& kind = kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
  const json::object object = any_object(*kind.schema);
  auto parsed = parse_json(json::serialize(object));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(conformed(kind, std::move(parsed->value)) == conformed(kind, object));
}

}  // namespace
}  // namespace ebb::apiserver
