#include "support/objects/any_object.h"

#include <string>
#include <vector>

#include <rapidcheck.h>

namespace ebb::testing {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::ObjectSchema;
using schema::Type;

namespace {

bool one_in(int n) { return *rc::gen::inRange(0, n) == 0; }

std::string any_text() {
  return *rc::gen::elementOf(std::vector<std::string>{"", "a", "web", "x\"y", "Always", "é"});
}

json::value any_scalar(Type type, Instants instants) {
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
      if (instants == Instants::kAny && one_in(4)) return "9999-12-31T23:59:59Z";
      return *rc::gen::element("2026-11-01T12:00:00Z", "2026-11-01T12:00:00.1234567+02:00",
                               "1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z",
                               "0001-01-01T00:00:00Z");
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

json::object any_object(const ObjectSchema& schema, int depth, Instants instants);

json::value any_one(const Field& field, int depth, Instants instants) {
  if (one_in(12)) return nullptr;
  if (field.type == Type::kObject) return any_object(*field.schema, depth - 1, instants);
  return any_scalar(field.type, instants);
}

json::value any_value(const Field& field, int depth, Instants instants) {
  const int size = *rc::gen::inRange(0, 3);
  if (field.form == Form::kList) {
    json::array list;
    for (int i = 0; i < size; ++i) list.push_back(any_one(field, depth, instants));
    return list;
  }
  if (field.form == Form::kMap) {
    json::object map;
    for (int i = 0; i < size; ++i) map[any_text()] = any_one(field, depth, instants);
    return map;
  }
  return any_one(field, depth, instants);
}

// An object of a schema, untidy in the ways that are allowed.
json::object any_object(const ObjectSchema& schema, int depth, Instants instants) {
  json::object object;
  if (one_in(10)) object["unknown"] = any_text();
  schema::for_each_field(schema, [&](const Field& field) {
    if (field.name == "kind" || field.name == "apiVersion") return;
    // Few optional fields, or documents would grow with every level.
    const bool is_wanted = depth > 0 && one_in(field.name == "spec" ? 1 : 4);
    if (is_wanted) object[field.name] = any_value(field, depth, instants);
  });
  return object;
}

}  // namespace

json::object any_object(const ObjectSchema& schema, Instants instants) {
  return any_object(schema, 8, instants);
}

}  // namespace ebb::testing
