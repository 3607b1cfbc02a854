#include "model/protobuf/wire_frames.h"

#include <fmt/format.h>

#include "base/wire_reader.h"
#include "model/protobuf/wire_fields.h"
#include "model/records/pod_text.h"

namespace ebb::model {
namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

Result<void> complete(const WireReader& reader, std::string_view what) {
  if (reader.ok()) return {};
  return fail(ErrorCode::kInvalidInput, fmt::format("{} is truncated or not valid protobuf", what));
}

}  // namespace

std::size_t frame_bytes(std::string_view head) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < kFrameHeadBytes; ++i) {
    size = size << 8U | static_cast<unsigned char>(head[i]);
  }
  return size;
}

Result<WireEvent> read_event(std::string_view frame) {
  WireEvent event;
  WireReader fields(frame);
  while (fields.next()) {
    if (fields.field() == 1) event.type = fields.bytes();
    if (fields.field() != 2) continue;
    WireReader extension(fields.bytes());
    while (extension.next()) {
      if (extension.field() == 1) event.object = extension.bytes();
    }
    EBB_RETURN_IF_ERROR(complete(extension, "the object of an event"));
  }
  EBB_RETURN_IF_ERROR(complete(fields, "an event"));
  return event;
}

Result<WireList> read_list(std::string_view message) {
  WireList list;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == 2) list.items.push_back(fields.bytes());
    if (fields.field() != 1) continue;
    WireReader metadata(fields.bytes());
    while (metadata.next()) {
      if (metadata.field() == 2) list.resource_version = metadata.bytes();
      if (metadata.field() == 3) list.continue_token = metadata.bytes();
    }
    EBB_RETURN_IF_ERROR(complete(metadata, "the metadata of a list"));
  }
  EBB_RETURN_IF_ERROR(complete(fields, "a list"));
  return list;
}

Result<WireBookmark> read_bookmark(std::string_view message) {
  WireBookmark bookmark;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() != wire::kMetadata) continue;
    WireReader metadata(fields.bytes());
    while (metadata.next()) {
      if (metadata.field() == wire::kResourceVersion) {
        bookmark.revision = parse_revision(metadata.bytes());
      }
      if (metadata.field() != wire::kAnnotations) continue;
      WireReader annotation(metadata.bytes());
      std::string_view key;
      std::string_view value;
      while (annotation.next()) {
        if (annotation.field() == wire::kKey) key = annotation.bytes();
        if (annotation.field() == wire::kValue) value = annotation.bytes();
      }
      if (key == kInitialEventsEnd && value == "true") bookmark.ends_initial_events = true;
    }
    EBB_RETURN_IF_ERROR(complete(metadata, "a bookmark"));
  }
  EBB_RETURN_IF_ERROR(complete(fields, "a bookmark"));
  return bookmark;
}

Result<WireStatus> read_status(std::string_view message) {
  WireStatus status;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == 3) status.message = fields.bytes();
    if (fields.field() == 4) status.reason = fields.bytes();
    if (fields.field() == 6) status.code = fields.int32();
  }
  EBB_RETURN_IF_ERROR(complete(fields, "a Status"));
  return status;
}

}  // namespace ebb::model
