// OpenAPI v2 as a protobuf message. The field numbers are those of OpenAPIv2.proto in
// gnostic-models. Only the parts that occur in ebb's document are written.
#include <array>
#include <bit>
#include <cstdint>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/discovery/openapi_v2.h"
#include "base/check.h"
#include "base/wire_writer.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

std::string schema_message(const json::object& schema);

// {name: 1, value: 2}, an entry of a map.
std::string named(std::string_view name, std::string_view value) {
  std::string message;
  append_message_field(message, 1, name);
  append_message_field(message, 2, value);
  return message;
}

std::string named_schemas(const json::object& schemas) {
  std::string message;
  for (const json::key_value_pair& member : schemas) {
    append_message_field(message, 1,
                         named(member.key(), schema_message(member.value().as_object())));
  }
  return message;
}

// A message with one field, 1.
std::string wrapped(std::string_view value) {
  std::string message;
  append_message_field(message, 1, value);
  return message;
}

// A value of type Any is YAML text, and JSON is YAML.
std::string any(const json::value& value) {
  std::string message;
  append_message_field(message, 2, json::serialize(value));
  return message;
}

// The encoding of a schema's member.
enum class Written : std::uint8_t { kText, kTexts, kNumber, kValues, kType, kSchema, kSchemas };

struct Member {
  std::string_view name;
  unsigned field;
  Written how;
};

constexpr std::array kMembers{
    Member{"$ref", 1, Written::kText},
    Member{"format", 2, Written::kText},
    Member{"description", 4, Written::kText},
    Member{"maximum", 7, Written::kNumber},
    Member{"minimum", 9, Written::kNumber},
    Member{"required", 19, Written::kTexts},
    Member{"enum", 20, Written::kValues},
    Member{"additionalProperties", 21, Written::kSchema},
    Member{"type", 22, Written::kType},
    Member{"items", 23, Written::kSchema},
    Member{"properties", 25, Written::kSchemas},
};
constexpr unsigned kExtension = 31;

void append_member(std::string& out, const Member& member, const json::value& value) {
  switch (member.how) {
    case Written::kText:
      return append_message_field(out, member.field, value.as_string());
    case Written::kNumber:
      return append_fixed64_field(out, member.field,
                                  std::bit_cast<std::uint64_t>(value.to_number<double>()));
    case Written::kTexts:
      for (const json::value& text : value.as_array()) {
        append_message_field(out, member.field, text.as_string());
      }
      return;
    case Written::kValues:
      for (const json::value& one : value.as_array())
        append_message_field(out, member.field, any(one));
      return;
    case Written::kType:
      return append_message_field(out, member.field, wrapped(value.as_string()));
    case Written::kSchema:
      return append_message_field(out, member.field, wrapped(schema_message(value.as_object())));
    case Written::kSchemas:
      return append_message_field(out, member.field, named_schemas(value.as_object()));
  }
}

std::string schema_message(const json::object& schema) {
  std::string message;
  std::size_t written = 0;
  for (const Member& member : kMembers) {
    const json::value* value = schema.if_contains(member.name);
    if (value == nullptr) continue;
    append_member(message, member, *value);
    ++written;
  }
  for (const json::key_value_pair& member : schema) {
    if (!std::string_view(member.key()).starts_with("x-")) continue;
    append_message_field(message, kExtension, named(member.key(), any(member.value())));
    ++written;
  }
  EBB_CHECK(written == schema.size());
  return message;
}

}  // namespace

std::string openapi_v2_message(const json::object& document) {
  std::string info;
  append_message_field(info, 1, document.at("info").at("title").as_string());
  append_message_field(info, 2, document.at("info").at("version").as_string());
  std::string message;
  append_message_field(message, 1, document.at("swagger").as_string());
  append_message_field(message, 2, info);
  append_message_field(message, 9, named_schemas(document.at("definitions").as_object()));
  return message;
}

}  // namespace ebb::apiserver
