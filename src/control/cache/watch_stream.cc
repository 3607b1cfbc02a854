#include "control/cache/watch_stream.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "model/json/raw_json.h"
#include "model/protobuf/wire_frames.h"
#include "model/records/pod_text.h"

namespace ebb::control {
namespace {

using model::raw_member;
using Type = StreamEvent::Type;

// Objects in etcd have at most 1.5 MB; in JSON they may be several times larger.
constexpr std::size_t kMaxEventBytes = 64UL << 20;
constexpr std::size_t kLargeBuffer = 1UL << 20;

std::optional<Type> event_type(std::string_view name) {
  if (name == "ADDED" || name == "MODIFIED") return Type::kUpsert;
  if (name == "DELETED") return Type::kRemove;
  if (name == "BOOKMARK") return Type::kBookmark;
  if (name == "ERROR") return Type::kError;
  return std::nullopt;
}

tl::unexpected<Error> unknown_type(std::string_view name) {
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format(
          "unknown event type \"{}\" (expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR)",
          name.substr(0, 40)));
}

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : "";
}

struct JsonEvent {
  std::string_view type;
  std::string_view object;
};

// API servers write the type first, then the object, and nothing else, so the text need not be
// parsed whole. The store parses the object, so a wrong guess is detected.
JsonEvent split_event(std::string_view line) {
  constexpr std::string_view kBeforeType = R"({"type":")";
  constexpr std::string_view kBetween = R"(","object":)";
  if (line.starts_with(kBeforeType)) {
    const std::size_t end = line.find('"', kBeforeType.size());
    if (end != std::string_view::npos && line.substr(end).starts_with(kBetween)) {
      std::string_view object = line.substr(end + kBetween.size());
      object.remove_suffix(object.size() - std::min(object.size(), object.rfind('}')));
      return {line.substr(kBeforeType.size(), end - kBeforeType.size()), object};
    }
  }
  return {unquoted(raw_member(line, "type")), raw_member(line, "object")};
}

Result<StreamEvent> read_json_event(std::string_view line) {
  const JsonEvent split = split_event(line);
  const auto type = event_type(split.type);
  if (!type) return unknown_type(split.type);
  StreamEvent event;
  event.type = *type;
  event.object = split.object;
  if (event.type == Type::kBookmark) {
    const std::string_view metadata = raw_member(event.object, "metadata");
    const std::string_view annotations = raw_member(metadata, "annotations");
    event.revision = model::parse_revision(unquoted(raw_member(metadata, "resourceVersion")));
    event.ends_initial_events = raw_member(annotations, "k8s.io/initial-events-end") == R"("true")";
  }
  if (event.type == Type::kError) {
    const std::string_view code = raw_member(event.object, "code");
    std::from_chars(code.data(), code.data() + code.size(), event.code);
    event.reason = unquoted(raw_member(event.object, "reason"));
    event.message = unquoted(raw_member(event.object, "message"));
  }
  return event;
}

Result<StreamEvent> read_protobuf_event(std::string_view frame) {
  EBB_ASSIGN_OR_RETURN(auto split, model::read_event(frame));
  const auto type = event_type(split.type);
  if (!type) return unknown_type(split.type);
  EBB_ASSIGN_OR_RETURN(auto envelope, model::open_envelope(split.object));
  StreamEvent event;
  event.type = *type;
  event.format = Store::Format::kProtobuf;
  event.object = envelope.message;
  if (event.type == Type::kBookmark) {
    EBB_ASSIGN_OR_RETURN(auto bookmark, model::read_bookmark(envelope.message));
    event.revision = bookmark.revision;
    event.ends_initial_events = bookmark.ends_initial_events;
  }
  if (event.type == Type::kError) {
    EBB_ASSIGN_OR_RETURN(auto status, model::read_status(envelope.message));
    event.code = status.code;
    event.reason = status.reason;
    event.message = status.message;
  }
  return event;
}

tl::unexpected<Error> too_large(std::size_t bytes) {
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("an event has at least {} bytes; the limit is {}", bytes, kMaxEventBytes));
}

}  // namespace

Result<void> WatchStream::feed(std::string_view bytes, const Take& take) {
  if (bytes.empty()) return {};
  if (!format_) {
    constexpr std::string_view kStartOfLine = "{ \t\r\n";
    const bool json = kStartOfLine.find(bytes.front()) != std::string_view::npos;
    format_ = json ? Store::Format::kJson : Store::Format::kProtobuf;
  }
  if (rest_.empty()) {
    auto taken = take_all(bytes, take);
    rest_ = bytes;
    return taken;
  }
  rest_ += bytes;
  std::string_view text = rest_;
  auto taken = take_all(text, take);
  rest_.erase(0, rest_.size() - text.size());
  if (rest_.empty() && rest_.capacity() > kLargeBuffer) rest_ = std::string();
  return taken;
}

Result<void> WatchStream::take_all(std::string_view& text, const Take& take) {
  while (true) {
    EBB_ASSIGN_OR_RETURN(auto whole, next(text));
    if (!whole) return {};
    if (whole->find_first_not_of(" \t\r") == std::string_view::npos) continue;
    EBB_ASSIGN_OR_RETURN(auto event, *format_ == Store::Format::kJson
                                         ? read_json_event(*whole)
                                         : read_protobuf_event(*whole));
    take(event);
  }
}

Result<std::optional<std::string_view>> WatchStream::next(std::string_view& text) {
  return *format_ == Store::Format::kJson ? next_line(text) : next_frame(text);
}

Result<std::optional<std::string_view>> WatchStream::next_line(std::string_view& text) {
  const std::size_t end = text.find('\n', searched_);
  if (end == std::string_view::npos) {
    if (text.size() > kMaxEventBytes) return too_large(text.size());
    searched_ = text.size();
    return std::nullopt;
  }
  searched_ = 0;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

Result<std::optional<std::string_view>> WatchStream::next_frame(std::string_view& text) {
  if (text.size() < model::kFrameHeadBytes) return std::nullopt;
  const std::size_t size = model::frame_bytes(text);
  if (size > kMaxEventBytes) return too_large(size);
  if (text.size() - model::kFrameHeadBytes < size) return std::nullopt;
  const std::string_view frame = text.substr(model::kFrameHeadBytes, size);
  text.remove_prefix(model::kFrameHeadBytes + size);
  return frame;
}

}  // namespace ebb::control
