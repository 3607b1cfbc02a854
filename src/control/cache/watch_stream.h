// Splits the bytes of a watch into events, wherever the bytes are cut.
//
// JSON events are one per line; protobuf events are frames with a length prefix. The answer may not
// be in the requested format, so the first byte decides: a line starts with a brace, and a frame
// that starts with one would be 2 GB long.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "control/cache/store.h"

namespace ebb::control {

// All members point into the stream, and are valid only during the callback.
struct StreamEvent {
  enum class Type : std::uint8_t { kUpsert, kRemove, kBookmark, kError };

  Type type = Type::kUpsert;
  Store::Format format = Store::Format::kJson;
  std::string_view object;  // of kUpsert and kRemove, as the store takes it

  // For a bookmark.
  model::Revision revision = 0;
  bool ends_initial_events = false;

  // For an error.
  int code = 0;
  std::string_view reason;
  std::string_view message;
};

class WatchStream {
 public:
  using Take = std::function<void(const StreamEvent&)>;

  // Calls `take` for each event that is now complete. After an error the stream is unusable.
  [[nodiscard]] Result<void> feed(std::string_view bytes, const Take& take);

 private:
  // Takes all complete events from the front of the text.
  [[nodiscard]] Result<void> take_all(std::string_view& text, const Take& take);
  // The next complete event, without its frame; removes both from the text.
  [[nodiscard]] Result<std::optional<std::string_view>> next(std::string_view& text);
  [[nodiscard]] Result<std::optional<std::string_view>> next_line(std::string_view& text);
  [[nodiscard]] Result<std::optional<std::string_view>> next_frame(std::string_view& text);

  std::optional<Store::Format> format_;
  std::string rest_;          // of an incomplete event
  std::size_t searched_ = 0;  // length of its prefix without a newline
};

}  // namespace ebb::control
