// Fuzzes watch streams, as the controllers and the hollow nodes read them. The events do not
// depend on where the stream is split, and agree with a parse of each line. The first byte is the
// length of the pieces.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "control/cache/watch_stream.h"
#include "input.h"
#include "model/api/requests.h"
#include "model/component/kind_feed.h"
#include "model/records/pod_text.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::control::Store;
using ebb::control::StreamEvent;
using ebb::control::WatchStream;
using Type = StreamEvent::Type;

// All that came of a stream, and how it ended.
struct Seen {
  std::vector<std::string> events{};
  std::string error{};
  bool operator==(const Seen&) const = default;
};

std::string describe(const StreamEvent& event) {
  return fmt::format("{} {} {} {} {} {} {} {}", static_cast<int>(event.type),
                     static_cast<int>(event.format), event.revision, event.ends_initial_events,
                     event.code, event.reason, event.message, event.object);
}

template <class Feed>
void feed_pieces(std::string_view bytes, std::size_t piece, Feed feed) {
  while (!bytes.empty() && feed(bytes.substr(0, piece))) {
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
}

Seen read_stream(std::string_view bytes, std::size_t piece) {
  WatchStream stream;
  Seen seen;
  feed_pieces(bytes, piece, [&](std::string_view part) {
    const auto taken = stream.feed(
        part, [&](const StreamEvent& event) { seen.events.push_back(describe(event)); });
    if (!taken) seen.error = taken.error().message;
    return taken.has_value();
  });
  return seen;
}

Seen read_feed(std::string_view bytes, std::size_t piece) {
  ebb::model::KindFeed feed(*ebb::model::pod_kind());
  (void)feed.next_request();
  Seen seen;
  feed_pieces(bytes, piece, [&](std::string_view part) {
    const bool taken = feed.take(part, [&](const ebb::model::ObjectEvent& event) {
      seen.events.push_back(
          fmt::format("{} {}", static_cast<int>(event.type), json::serialize(*event.object)));
    });
    if (!taken) seen.error = "given up";
    return taken;
  });
  return seen;
}

// A line that holds an event as API servers write them gives that event.
void check_line(std::string_view line) {
  if (!line.starts_with('{') || line.find('\n') != std::string_view::npos) return;
  const auto value = ebb::fuzz::parse_plainly(line);
  if (!value || ebb::fuzz::has_odd_names(line)) return;
  const json::object& event = value->get_object();
  const json::object* object = ebb::schema::object_at(event, {"object"});
  const std::string_view type = ebb::schema::text_at(event, {"type"});
  if (event.size() != 2 || object == nullptr ||
      json::serialize(json::string(type)).size() != type.size() + 2) {
    return;
  }
  constexpr std::string_view kTypes[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};
  const bool known = std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
  bool seen = false;
  WatchStream stream;
  const auto taken = stream.feed(std::string(line) + "\n", [&](const StreamEvent& got) {
    seen = true;
    const auto parsed = ebb::fuzz::parse_plainly(got.object);
    // A type that is written with escapes is not recognised, so this one was not.
    EBB_CHECK(parsed && *parsed == json::value(*object));
    EBB_CHECK((got.type == Type::kBookmark) == (type == "BOOKMARK"));
    EBB_CHECK((got.type == Type::kError) == (type == "ERROR"));
    EBB_CHECK((got.type == Type::kRemove) == (type == "DELETED"));
    const std::string_view revision =
        ebb::schema::text_at(*object, {"metadata", "resourceVersion"});
    if (got.type == Type::kBookmark && line.find('\\') == std::string_view::npos) {
      EBB_CHECK(got.revision == ebb::model::parse_revision(revision));
    }
  });
  const bool escaped = line.find('\\') != std::string_view::npos;
  EBB_CHECK(taken.has_value() == seen && (seen == known || escaped));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  std::string_view bytes = ebb::fuzz::as_text(data + 1, size - 1);
  const std::size_t piece = 1 + data[0];
  EBB_CHECK(read_stream(bytes, piece) == read_stream(bytes, bytes.size()));
  EBB_CHECK(read_feed(bytes, piece) == read_feed(bytes, bytes.size()));
  while (!bytes.empty()) check_line(ebb::fuzz::take_until(bytes, '\n'));
  return 0;
}
