#include "apiserver/request/body.h"

#include <algorithm>
#include <utility>

#include <boost/json/monotonic_resource.hpp>
#include <fmt/format.h>

#include "apiserver/response/negotiate.h"
#include "model/yaml/yaml_to_json.h"
#include "schema/core/envelope.h"
#include "schema/core/utf8.h"
#include "schema/protobuf/protobuf.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

tl::unexpected<model::Status> malformed(const Error& error) {
  return tl::unexpected(
      model::bad_request(fmt::format("the request body is not valid protobuf: {}", error.message)));
}

StatusOr<ParsedJson> parse_protobuf(std::string_view body, const schema::Kind& kind) {
  const Result<schema::Envelope> envelope = schema::open_envelope(body);
  if (!envelope) return malformed(envelope.error());
  if (!schema::is_utf8(envelope->kind) || !schema::is_utf8(envelope->api_version)) {
    return malformed(
        {ErrorCode::kInvalidInput, "the apiVersion or kind of the object is not valid UTF-8"});
  }
  auto storage = json::make_shared_resource<json::monotonic_resource>(
      std::max<std::size_t>(2 * body.size(), 512));
  json::object object(storage);
  // A message of another kind cannot be decoded here; conform() reports the wrong kind.
  if (envelope->kind.empty() || envelope->kind == kind.name) {
    Result<json::object> decoded =
        schema::decode_message(*kind.schema, envelope->message, std::move(storage));
    if (!decoded) return malformed(decoded.error());
    object = *std::move(decoded);
  }
  if (!envelope->kind.empty()) object["kind"] = envelope->kind;
  if (!envelope->api_version.empty()) object["apiVersion"] = envelope->api_version;
  return ParsedJson{.value = std::move(object), .duplicates = {}};
}

}  // namespace

StatusOr<ParsedJson> parse_yaml(std::string_view text) {
  if (StatusOr<ParsedJson> parsed = parse_json(text)) return parsed;
  const Result<std::vector<model::YamlDocument>> documents = model::yaml_to_json(text);
  if (!documents) {
    return tl::unexpected(model::bad_request(
        "error decoding YAML: error converting YAML to JSON: " + documents.error().message));
  }
  if (documents->empty()) return ParsedJson{.value = json::object(), .duplicates = {}};
  return parse_json(documents->front().json);
}

StatusOr<ParsedJson> parse_body(const model::ApiRequest& request, const schema::Kind& kind) {
  const std::string_view type = media_type(request.content_type);
  if (type.empty() || type == "application/json") return parse_json(request.body);
  if (type == "application/yaml") return parse_yaml(request.body);
  if (kind.custom) {
    return tl::unexpected(
        model::unsupported_media_type(type, "application/json, application/yaml"));
  }
  if (type == schema::kProtobufMediaType) return parse_protobuf(request.body, kind);
  return tl::unexpected(model::unsupported_media_type(
      type, fmt::format("application/json, application/yaml, {}", schema::kProtobufMediaType)));
}

}  // namespace ebb::apiserver
