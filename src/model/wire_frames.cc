#include "model/wire_frames.h"

#include <fmt/format.h>

#include "base/wire_reader.h"
#include "model/pod_text.h"
#include "model/wire_fields.h"

namespace ebb::model {
namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

Result<void> complete(const WireReader& reader, std::string_view what) {
  if (reader.ok()) return {};
  return fail(ErrorCode::kInvalidInput, fmt::format("{} is cut off or no protobuf", what));
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
    if (auto read = complete(extension, "the object of an event"); !read) return propagate(read);
  }
  if (auto read = complete(fields, "an event"); !read) return propagate(read);
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
    if (auto read = complete(metadata, "the metadata of a list"); !read) return propagate(read);
  }
  if (auto read = complete(fields, "a list"); !read) return propagate(read);
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
    if (auto read = complete(metadata, "a bookmark"); !read) return propagate(read);
  }
  if (auto read = complete(fields, "a bookmark"); !read) return propagate(read);
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
  if (auto read = complete(fields, "a Status"); !read) return propagate(read);
  return status;
}

}  // namespace ebb::model
