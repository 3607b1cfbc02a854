// Sets defaults from the outside in, because the defaults of an object may create objects that have
// defaults themselves.
#include <boost/json/parse.hpp>

#include "apiserver/decode/decode.h"
#include "base/check.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::ObjectSchema;
using schema::Type;

json::value parse_default(std::string_view text) {
  boost::system::error_code code;
  json::value value = json::parse(text, code);
  EBB_CHECK(!code);
  return value;
}

void apply_inside(const Field& field, json::value& value) {
  const ObjectSchema& schema = *field.schema;
  switch (field.form) {
    case Form::kOne:
      if (json::object* object = value.if_object()) apply_defaults(schema, *object);
      return;
    case Form::kList:
      if (json::array* list = value.if_array()) {
        for (json::value& entry : *list) {
          if (json::object* object = entry.if_object()) apply_defaults(schema, *object);
        }
      }
      return;
    case Form::kMap:
      if (json::object* map = value.if_object()) {
        for (json::key_value_pair& entry : *map) {
          if (json::object* object = entry.value().if_object()) apply_defaults(schema, *object);
        }
      }
      return;
  }
}

}  // namespace

void apply_defaults(const ObjectSchema& schema, json::object& object) {
  schema::for_each_field(schema, [&](const Field& field) {
    if (!field.default_json.empty() && !object.contains(field.name)) {
      object.emplace(field.name, parse_default(field.default_json));
    }
  });
  schema::for_each_field(schema, [&](const Field& field) {
    if (field.computed_default != nullptr && !object.contains(field.name)) {
      field.computed_default(object);
    }
  });
  schema::for_each_field(schema, [&](const Field& field) {
    if (field.type != Type::kObject) return;
    if (json::value* value = object.if_contains(field.name)) apply_inside(field, *value);
  });
  if (schema.complete != nullptr) schema.complete(object);
}

}  // namespace ebb::apiserver
