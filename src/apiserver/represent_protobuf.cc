#include "apiserver/represent_protobuf.h"

#include <utility>

#include "base/wire_writer.h"
#include "schema/envelope.h"
#include "schema/json.h"
#include "schema/protobuf.h"
#include "schema/shapes_meta.h"

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

std::string_view message_of(const Form& form, const Object& object) {
  return is_whole(form) ? object.wire().message : object.wire().metadata;
}

std::string head_of(const Form& form, const Object& object, std::size_t message_size) {
  if (!is_whole(form)) {
    return schema::envelope_head(kMetaVersion, "PartialObjectMetadata", message_size);
  }
  return schema::envelope_head(object.kind().api_version(), object.kind().name, message_size);
}

// Everything of a frame that comes before the object in its envelope.
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
  const std::size_t size = object.wire().metadata.size();
  return bytes_head_size(kItem, size) + size;
}

}  // namespace

Bytes protobuf_object(const Form& form, const ObjectPtr& object) {
  const std::string_view message = message_of(form, *object);
  Bytes bytes(head_of(form, *object, message.size()));
  bytes.append_shared(object, message);
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
      bytes.append_shared(object, object->wire().item);
      continue;
    }
    const std::string_view message = object->wire().metadata;
    std::string item;
    append_bytes_head(item, kItem, message.size());
    bytes.append(std::move(item));
    bytes.append_shared(object, message);
  }
  return bytes;
}

std::string protobuf_document(const schema::Shape& shape, const json::object& document) {
  return schema::in_envelope(schema::text_at(document, {"apiVersion"}),
                             schema::text_at(document, {"kind"}),
                             schema::encode_message(shape, document).bytes);
}

void append_frame(Bytes& bytes, const Form& form, std::string_view type, const ObjectPtr& object) {
  const std::string_view message = message_of(form, *object);
  const std::string envelope = head_of(form, *object, message.size());
  bytes.append(frame_head(type, envelope.size() + message.size()) + envelope);
  bytes.append_shared(object, message);
}

void append_frame(Bytes& bytes, std::string_view type, const schema::Shape& shape,
                  const json::object& document) {
  const std::string envelope = protobuf_document(shape, document);
  bytes.append(frame_head(type, envelope.size()) + envelope);
}

}  // namespace ebb::apiserver
