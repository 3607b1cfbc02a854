// ebb-protobuf: turns Kubernetes protobuf into JSON and back, for tests that speak to a real API
// server. One request a line, one line in answer, bytes in hex:
//
//   decode HEX    an object or list in its envelope -> JSON
//   event HEX     a watch event, without the length before it -> JSON
//   encode JSON   -> an envelope in hex
//
// An error is answered with `error: ...`.
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/wire_reader.h"
#include "schema/core/envelope.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/protobuf/protobuf.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb {
namespace {

namespace json = boost::json;
using schema::ObjectSchema;

const ObjectSchema* schema_of(std::string_view api_version, std::string_view kind) {
  if (const schema::Kind* known = schema::find_kind(api_version, kind)) return known->schema;
  for (const schema::Kind* other :
       {&schema::scale_kind(), &schema::eviction_kind(), &schema::binding_kind()}) {
    if (other->name == kind) return other->schema;
  }
  if (kind == "Status") return &schema::kStatus;
  if (kind == "DeleteOptions") return &schema::kDeleteOptions;
  return kind == "PartialObjectMetadata" ? &schema::kPartialObjectMetadata : nullptr;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4U];
    hex += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return hex;
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

Result<json::object> decode_list(const ObjectSchema& items, std::string_view message) {
  json::object list{{"metadata", json::object()}, {"items", json::array()}};
  WireReader fields(message);
  while (fields.next()) {
    EBB_ASSIGN_OR_RETURN(
        auto part,
        schema::decode_message(fields.field() == 1 ? schema::kListMeta : items, fields.bytes()));
    if (fields.field() == 1) {
      list["metadata"] = std::move(part);
    } else {
      list["items"].get_array().push_back(std::move(part));
    }
  }
  if (!fields.ok()) return fail(ErrorCode::kInvalidInput, "the list is cut off");
  return list;
}

Result<json::object> decode(std::string_view bytes) {
  EBB_ASSIGN_OR_RETURN(const schema::Envelope envelope, schema::open_envelope(bytes));
  const ObjectSchema* schema = schema_of(envelope.api_version, envelope.kind);
  Result<json::object> object = fail(ErrorCode::kInvalidInput, "an unknown kind");
  if (schema != nullptr) {
    object = schema::decode_message(*schema, envelope.message);
  } else if (envelope.kind.ends_with("List")) {
    schema = schema_of(envelope.api_version, envelope.kind.substr(0, envelope.kind.size() - 4));
    if (schema != nullptr) object = decode_list(*schema, envelope.message);
  }
  if (!object) return object;
  (*object)["kind"] = envelope.kind;
  (*object)["apiVersion"] = envelope.api_version;
  return object;
}

Result<json::object> decode_event(std::string_view message) {
  json::object event;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == 1) event["type"] = fields.bytes();
    if (fields.field() != 2) continue;
    WireReader extension(fields.bytes());
    if (!extension.next()) return fail(ErrorCode::kInvalidInput, "an event without an object");
    EBB_ASSIGN_OR_RETURN(auto object, decode(extension.bytes()));
    event["object"] = std::move(object);
  }
  if (!fields.ok()) return fail(ErrorCode::kInvalidInput, "the event is cut off");
  return event;
}

Result<std::string> encode(std::string_view text) {
  json::error_code error;
  const json::value value = json::parse(text, error);
  if (error || !value.is_object()) return fail(ErrorCode::kInvalidInput, "no JSON object");
  const json::object& object = value.get_object();
  const std::string_view version = schema::text_at(object, {"apiVersion"});
  const std::string_view kind = schema::text_at(object, {"kind"});
  const ObjectSchema* schema = schema_of(version, kind);
  if (schema == nullptr) return fail(ErrorCode::kInvalidInput, "an unknown kind");
  const schema::EncodedMessage encoded = schema::encode_message(*schema, object);
  if (!encoded.lost.empty()) return fail(ErrorCode::kInvalidInput, encoded.lost);
  return to_hex(schema::in_envelope(version, kind, encoded.bytes));
}

std::string answer(std::string_view line) {
  const std::size_t space = line.find(' ');
  const std::string_view verb = line.substr(0, space);
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  if (verb == "encode") {
    const Result<std::string> hex = encode(rest);
    return hex ? *hex : "error: " + hex.error().message;
  }
  if (verb != "decode" && verb != "event") return "error: decode, event or encode?";
  const std::string bytes = from_hex(rest);
  const Result<json::object> object = verb == "event" ? decode_event(bytes) : decode(bytes);
  return object ? json::serialize(*object) : "error: " + object.error().message;
}

}  // namespace
}  // namespace ebb

int main() {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << ebb::answer(line) << '\n' << std::flush;
}
