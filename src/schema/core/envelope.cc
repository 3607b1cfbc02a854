#include "schema/core/envelope.h"

#include "base/wire_reader.h"
#include "base/wire_writer.h"

namespace ebb::schema {
namespace {

// runtime.Unknown and its TypeMeta
constexpr unsigned kTypeMeta = 1;
constexpr unsigned kRaw = 2;
constexpr unsigned kContentEncoding = 3;
constexpr unsigned kApiVersion = 1;
constexpr unsigned kKind = 2;

bool read_type(std::string_view message, Envelope& envelope) {
  WireReader type(message);
  while (type.next()) {
    if (type.field() == kApiVersion) envelope.api_version = type.bytes();
    if (type.field() == kKind) envelope.kind = type.bytes();
  }
  return type.ok();
}

}  // namespace

Result<Envelope> open_envelope(std::string_view bytes) {
  if (!bytes.starts_with(kProtobufMagic)) {
    return fail(ErrorCode::kInvalidInput, "a protobuf object must start with k8s and a zero byte");
  }
  Envelope envelope;
  std::string_view encoding;
  WireReader fields(bytes.substr(kProtobufMagic.size()));
  while (fields.next()) {
    if (fields.field() == kTypeMeta && !read_type(fields.bytes(), envelope)) {
      return fail(ErrorCode::kInvalidInput,
                  "the type of the object is truncated or not valid protobuf");
    }
    if (fields.field() == kRaw) envelope.message = fields.bytes();
    if (fields.field() == kContentEncoding) encoding = fields.bytes();
  }
  if (!fields.ok()) {
    return fail(ErrorCode::kInvalidInput,
                "the envelope of the object is truncated or not valid protobuf");
  }
  if (!encoding.empty()) {
    return fail(ErrorCode::kInvalidInput, "the contentEncoding of a protobuf object must be empty");
  }
  return envelope;
}

std::string envelope_head(std::string_view api_version, std::string_view kind,
                          std::size_t message_size) {
  std::string head(kProtobufMagic);
  const std::size_t type = begin_message(head, kTypeMeta);
  append_message_field(head, kApiVersion, api_version);
  append_message_field(head, kKind, kind);
  end_message(head, type);
  append_bytes_head(head, kRaw, message_size);
  return head;
}

std::string in_envelope(std::string_view api_version, std::string_view kind,
                        std::string_view message) {
  std::string bytes = envelope_head(api_version, kind, message.size());
  bytes += message;
  return bytes;
}

}  // namespace ebb::schema
