// From the bytes of a watch to its events, wherever the bytes are cut.
//
// JSON events stand in a line each, protobuf events in frames that start with their length. What
// was asked for may not be what comes, so the first byte decides: a line starts with a brace, and
// a frame that did would be 2 GB long.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/store.h"

namespace ebb::control {

// Everything in it points into the stream, and is gone when the call that brings it is over.
struct StreamEvent {
  enum class Type : std::uint8_t { kUpsert, kRemove, kBookmark, kError };

  Type type = Type::kUpsert;
  Store::Format format = Store::Format::kJson;
  std::string_view object;  // of kUpsert and kRemove, as the store takes it

  // Of a bookmark.
  model::Revision revision = 0;
  bool ends_initial_events = false;

  // Of an error.
  int code = 0;
  std::string_view reason;
  std::string_view message;
};

class WatchStream {
 public:
  using Take = std::function<void(const StreamEvent&)>;

  // Calls take for each event that is complete now. After an error the stream is of no use.
  [[nodiscard]] Result<void> feed(std::string_view bytes, const Take& take);

 private:
  // Takes all whole events from the front of the text.
  [[nodiscard]] Result<void> take_all(std::string_view& text, const Take& take);
  // The next whole event, without its frame, which is taken off the text.
  [[nodiscard]] Result<std::optional<std::string_view>> next(std::string_view& text);
  [[nodiscard]] Result<std::optional<std::string_view>> next_line(std::string_view& text);
  [[nodiscard]] Result<std::optional<std::string_view>> next_frame(std::string_view& text);

  std::optional<Store::Format> format_;
  std::string rest_;          // of an event that is not complete
  std::size_t searched_ = 0;  // so much of it has no end of a line
};

}  // namespace ebb::control
