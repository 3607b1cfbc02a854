// ebb-protobuf: turns Kubernetes protobuf into JSON and back, for tests that speak to a real API
// server. One question a line, one line in answer, bytes in hex:
//
//   decode HEX    an object or list in its envelope -> JSON
//   event HEX     a watch event, without the length before it -> JSON
//   encode JSON   -> an envelope in hex
//
// What goes wrong is answered by `error: ...`.
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "base/wire_reader.h"
#include "schema/envelope.h"
#include "schema/json.h"
#include "schema/kind.h"
#include "schema/protobuf.h"
#include "schema/shapes_meta.h"

namespace ebb {
namespace {

namespace json = boost::json;
using schema::Shape;

const Shape* shape_of(std::string_view api_version, std::string_view kind) {
  if (const schema::Kind* known = schema::find_kind(api_version, kind)) return known->shape;
  for (const schema::Kind* other :
       {&schema::scale_kind(), &schema::eviction_kind(), &schema::binding_kind()}) {
    if (other->name == kind) return other->shape;
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

Result<json::object> decode_list(const Shape& items, std::string_view message) {
  json::object list{{"metadata", json::object()}, {"items", json::array()}};
  WireReader fields(message);
  while (fields.next()) {
    auto part =
        schema::decode_message(fields.field() == 1 ? schema::kListMeta : items, fields.bytes());
    if (!part) return part;
    if (fields.field() == 1) {
      list["metadata"] = *std::move(part);
    } else {
      list["items"].get_array().push_back(*std::move(part));
    }
  }
  if (!fields.ok()) return fail(ErrorCode::kInvalidInput, "the list is cut off");
  return list;
}

Result<json::object> decode(std::string_view bytes) {
  const Result<schema::Envelope> envelope = schema::open_envelope(bytes);
  if (!envelope) return tl::unexpected(envelope.error());
  const Shape* shape = shape_of(envelope->api_version, envelope->kind);
  Result<json::object> object = fail(ErrorCode::kInvalidInput, "an unknown kind");
  if (shape != nullptr) {
    object = schema::decode_message(*shape, envelope->message);
  } else if (envelope->kind.ends_with("List")) {
    shape = shape_of(envelope->api_version, envelope->kind.substr(0, envelope->kind.size() - 4));
    if (shape != nullptr) object = decode_list(*shape, envelope->message);
  }
  if (!object) return object;
  (*object)["kind"] = envelope->kind;
  (*object)["apiVersion"] = envelope->api_version;
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
    auto object = decode(extension.bytes());
    if (!object) return object;
    event["object"] = *std::move(object);
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
  const Shape* shape = shape_of(version, kind);
  if (shape == nullptr) return fail(ErrorCode::kInvalidInput, "an unknown kind");
  const schema::EncodedMessage encoded = schema::encode_message(*shape, object);
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
