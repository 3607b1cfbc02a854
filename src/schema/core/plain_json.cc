#include "schema/core/plain_json.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

namespace ebb::schema {
namespace {

namespace json = boost::json;

void write(const json::value& value, std::string& out) {
  if (const json::object* object = value.if_object()) {
    const char* separator = "{";
    for (const json::key_value_pair& member : *object) {
      out += separator + json::serialize(json::string(member.key())) + ':';
      write(member.value(), out);
      separator = ",";
    }
    out += object->empty() ? "{}" : "}";
  } else if (const json::array* array = value.if_array()) {
    const char* separator = "[";
    for (const json::value& item : *array) {
      out += separator;
      write(item, out);
      separator = ",";
    }
    out += array->empty() ? "[]" : "]";
  } else if (const double* number = value.if_double()) {
    // The shortest text that parses to the same number.
    out += fmt::to_string(*number);
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::string plain_json(const json::value& value) {
  std::string text;
  write(value, text);
  return text;
}

}  // namespace ebb::schema
