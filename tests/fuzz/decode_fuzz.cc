// Fuzzes request bodies of the API server. An accepted document follows the schema, and decoding
// it again, with or without defaults, does not change it.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <boost/json/serialize.hpp>
#include <simdjson.h>

#include "apiserver/decode/decode.h"
#include "base/check.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"

namespace {

namespace json = boost::json;
using ebb::apiserver::FieldValidation;
using ebb::apiserver::ParsedJson;
using ebb::schema::Kind;

void check_refusal(const ebb::model::Status& status) {
  EBB_CHECK(status.code == 400 && status.reason == "BadRequest");
  EBB_CHECK(simdjson::validate_utf8(status.message.data(), status.message.size()));
}

// The kind that a document says it is, or else pods.
const Kind& kind_of(const json::value& value) {
  const Kind* kind = nullptr;
  if (const json::object* object = value.if_object()) {
    kind = ebb::schema::find_kind(ebb::schema::text_at(*object, {"apiVersion"}),
                                  ebb::schema::text_at(*object, {"kind"}));
  }
  if (kind == nullptr) kind = ebb::schema::find_kind("v1", "Pod");
  EBB_CHECK(kind != nullptr);
  return *kind;
}

json::object conform_again(const Kind& kind, const json::object& object) {
  auto decoded = ebb::apiserver::conform(kind, {object, {}}, FieldValidation::kStrict);
  EBB_CHECK(decoded.has_value());
  return std::move(decoded->object);
}

void check_stable(const Kind& kind, json::object object) {
  EBB_CHECK(json::serialize(conform_again(kind, object)) == json::serialize(object));
  ebb::apiserver::apply_defaults(*kind.schema, object);
  json::object twice = object;
  ebb::apiserver::apply_defaults(*kind.schema, twice);
  EBB_CHECK(twice == object);
  json::object stored = conform_again(kind, object);
  ebb::apiserver::apply_defaults(*kind.schema, stored);
  EBB_CHECK(stored == object);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = ebb::apiserver::parse_json(text);
  if (!parsed) {
    check_refusal(parsed.error());
    return 0;
  }
  const Kind& kind = kind_of(parsed->value);
  auto warned = ebb::apiserver::conform(kind, *parsed, FieldValidation::kWarn);
  const auto strict = ebb::apiserver::conform(kind, *parsed, FieldValidation::kStrict);
  if (!strict) check_refusal(strict.error());
  EBB_CHECK(strict.has_value() == (warned.has_value() && warned->warnings.empty()));
  if (warned) check_stable(kind, std::move(warned->object));
  return 0;
}
