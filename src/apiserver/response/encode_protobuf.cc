#include "apiserver/response/encode_protobuf.h"

#include <utility>

#include "base/wire_writer.h"
#include "schema/core/envelope.h"
#include "schema/core/json.h"
#include "schema/protobuf/protobuf.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kMetaVersion = "meta.k8s.io/v1";

// Lists
constexpr unsigned kListMetadata = 1;
constexpr unsigned kItem = 2;
// WatchEvent, and the RawExtension in it
constexpr unsigned kEventType = 1;
constexpr unsigned kEventObject = 2;
constexpr unsigned kRaw = 1;

bool is_whole(const Form& form) { return form.representation == Representation::kObject; }

// Returns the end of an object's message, or of its metadata alone, within its list item.
std::size_t message_end(const Form& form, const Object::Wire& wire) {
  return is_whole(form) ? wire.item.size() : wire.metadata_end;
}

std::size_t message_size(const Form& form, const Object& object) {
  return message_end(form, object.wire()) - object.wire().message;
}

void append_message(Bytes& bytes, const Form& form, const ObjectPtr& object) {
  const Object::Wire& wire = object->wire();
  wire.item.append_to(bytes, object, wire.message, message_end(form, wire));
}

std::string head_of(const Form& form, const Object& object) {
  const std::size_t size = message_size(form, object);
  if (!is_whole(form)) return schema::envelope_head(kMetaVersion, "PartialObjectMetadata", size);
  return schema::envelope_head(object.kind().api_version(), object.kind().name, size);
}

// Everything in a frame that precedes the object in its envelope.
std::string frame_head(std::string_view type, std::size_t envelope_size) {
  const std::size_t extension_size = bytes_head_size(kRaw, envelope_size) + envelope_size;
  std::string event;
  append_message_field(event, kEventType, type);
  append_bytes_head(event, kEventObject, extension_size);
  append_bytes_head(event, kRaw, envelope_size);
  const std::size_t size = event.size() + envelope_size;
  std::string head;
  for (unsigned shift = 32; shift > 0; shift -= 8) head += static_cast<char>(size >> (shift - 8));
  return head += event;
}

std::size_t item_size(const Form& form, const Object& object) {
  if (is_whole(form)) return object.wire().item.size();
  const std::size_t size = message_size(form, object);
  return bytes_head_size(kItem, size) + size;
}

}  // namespace

Bytes protobuf_object(const Form& form, const ObjectPtr& object) {
  Bytes bytes(head_of(form, *object));
  append_message(bytes, form, object);
  return bytes;
}

Bytes protobuf_list(const Form& form, const schema::Kind& kind, const ListHead& head,
                    std::span<const ObjectPtr> objects) {
  std::string metadata;
  append_message_field(metadata, kListMetadata,
                       schema::encode_message(schema::kListMeta, list_metadata(head)).bytes);
  std::size_t size = metadata.size();
  for (const ObjectPtr& object : objects) size += item_size(form, *object);

  const bool whole = is_whole(form);
  const std::string name(whole ? kind.name : "PartialObjectMetadata");
  const std::string version = whole ? kind.api_version() : std::string(kMetaVersion);
  Bytes bytes(schema::envelope_head(version, name + "List", size) + metadata);
  for (const ObjectPtr& object : objects) {
    if (whole) {
      const PiecedText& item = object->wire().item;
      item.append_to(bytes, object, 0, item.size());
      continue;
    }
    std::string item;
    append_bytes_head(item, kItem, message_size(form, *object));
    bytes.append(std::move(item));
    append_message(bytes, form, object);
  }
  return bytes;
}

std::string protobuf_document(const schema::ObjectSchema& schema, const json::object& document) {
  return schema::in_envelope(schema::text_at(document, {"apiVersion"}),
                             schema::text_at(document, {"kind"}),
                             schema::encode_message(schema, document).bytes);
}

void append_frame(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object) {
  const std::string envelope = head_of(form, *object);
  bytes.append(frame_head(type, envelope.size() + message_size(form, *object)) + envelope);
  append_message(bytes, form, object);
}

void append_frame(Bytes& bytes, std::string_view type, const schema::ObjectSchema& schema,
                  const json::object& document) {
  const std::string envelope = protobuf_document(schema, document);
  bytes.append(frame_head(type, envelope.size()) + envelope);
}

}  // namespace ebb::apiserver
