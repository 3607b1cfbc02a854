// What must hold for every kind of the table and every document.
#include <string>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/decode.h"
#include "schema/kind.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Shape;
using schema::Type;

bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }

std::string any_text() {
  return *rc::gen::elementOf(std::vector<std::string>{"", "a", "web", "x\"y", "Always", "é"});
}

json::value any_scalar(Type type) {
  switch (type) {
    case Type::kBool:
      return one_in(2);
    case Type::kInt32:
      return one_in(3) ? 0 : *rc::gen::arbitrary<std::int32_t>();
    case Type::kInt64:
      return one_in(3) ? 0 : *rc::gen::arbitrary<std::int64_t>();
    case Type::kDouble:
      return *rc::gen::arbitrary<std::int32_t>() / 4.0;
    case Type::kBytes:
      return *rc::gen::element("", "aGVsbG8=", "aGVsbG9=", "aG\nVs");
    case Type::kTime:
    case Type::kMicroTime:
      return *rc::gen::element("2026-11-01T12:00:00Z", "2026-11-01T12:00:00.1234567+02:00",
                               "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
    case Type::kQuantity:
      if (one_in(3)) return *rc::gen::inRange(0, 5) / 2.0;
      return *rc::gen::element("500m", "0.5", "2Gi", "1e3", "0");
    case Type::kIntOrString:
      if (one_in(2)) return *rc::gen::inRange(0, 3);
      return *rc::gen::element("25%", "http", "");
    case Type::kString:
    case Type::kObject:
    case Type::kAny:
      break;
  }
  return json::value(json::string(any_text()));
}

json::object any_object(const Shape& shape, int depth);

json::value any_one(const Field& field, int depth) {
  if (one_in(12)) return nullptr;
  if (field.type == Type::kObject) return any_object(*field.shape, depth - 1);
  return any_scalar(field.type);
}

json::value any_value(const Field& field, int depth) {
  const int size = *rc::gen::inRange(0, 3);
  if (field.form == Form::kList) {
    json::array list;
    for (int i = 0; i < size; ++i) list.push_back(any_one(field, depth));
    return list;
  }
  if (field.form == Form::kMap) {
    json::object map;
    for (int i = 0; i < size; ++i) map[any_text()] = any_one(field, depth);
    return map;
  }
  return any_one(field, depth);
}

// An object of a shape, untidy in the ways that are allowed.
json::object any_object(const Shape& shape, int depth) {
  json::object object;
  if (one_in(10)) object["unknown"] = any_text();
  schema::for_each_field(shape, [&](const Field& field) {
    if (field.name == "kind" || field.name == "apiVersion") return;
    // Few optional fields, or documents would grow with every level.
    const bool is_wanted = depth > 0 && one_in(field.name == "spec" ? 1 : 4);
    if (is_wanted) object[field.name] = any_value(field, depth);
  });
  return object;
}

json::object conformed(const schema::Kind& kind, json::value value) {
  auto decoded = conform(kind, {std::move(value), {}}, FieldValidation::kIgnore);
  if (!decoded) RC_FAIL(decoded.error().message);
  return std::move(decoded->object);
}

json::object with_defaults(const schema::Kind& kind, json::object object) {
  apply_defaults(*kind.shape, object);
  return object;
}

RC_GTEST_PROP(Decode, IsDoneOnceForAll, ()) {
  const auto kinds = schema::kinds();
  const schema::Kind& kind = kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
  const json::object once = conformed(kind, any_object(*kind.shape, 8));
  // The text is compared, so that the order of the fields counts as well.
  RC_ASSERT(json::serialize(conformed(kind, once)) == json::serialize(once));

  const json::object defaulted = with_defaults(kind, once);
  RC_ASSERT(with_defaults(kind, defaulted) == defaulted);
  RC_ASSERT(with_defaults(kind, conformed(kind, defaulted)) == defaulted);
}

RC_GTEST_PROP(Decode, TakesTextAndValueAlike, ()) {
  const auto kinds = schema::kinds();
  const schema::Kind& kind = kinds[*rc::gen::inRange<std::size_t>(0, kinds.size())];
  const json::object object = any_object(*kind.shape, 8);
  auto parsed = parse_json(json::serialize(object));
  RC_ASSERT(parsed.has_value());
  RC_ASSERT(conformed(kind, std::move(parsed->value)) == conformed(kind, object));
}

}  // namespace
}  // namespace ebb::apiserver
