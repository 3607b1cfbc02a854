// A watch: a cursor over the history of a kind.
//
// A cursor holds a position, not events, so a slow watcher costs nothing. When its position leaves
// the history, the watch fails with 410 and the client has to list again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/response/encode_response.h"
#include "apiserver/response/reply.h"
#include "apiserver/store/selectors.h"
#include "apiserver/store/store.h"

namespace ebb::apiserver {

// The objects that a list or watch selects.
struct Selection {
  const schema::Kind* kind = nullptr;
  std::string namespace_name;  // empty: all
  std::string name;            // empty: all
  LabelSelector labels;
  FieldSelector fields;

  [[nodiscard]] bool matches(const Object& object) const;
  [[nodiscard]] bool has_selectors() const { return !labels.empty() || !fields.empty(); }
};

class WatchCursor {
 public:
  struct Start {
    Selection selection;
    Form form;
    // Send changes after this revision.
    Revision after = 0;
    // Send these first, as ADDED.
    std::vector<ObjectPtr> initial;
    bool marks_end_of_initial = false;  // then send a bookmark that marks their end
    bool bookmarks = false;
    Timestamp deadline;
  };

  WatchCursor(Start start, Timestamp now);

  [[nodiscard]] Frames next(const Store& store, Timestamp now, std::size_t max_bytes);

 private:
  void send_initial(Frames& frames, Timestamp now, std::size_t max_bytes);
  void send_events(Frames& frames, const Store& store, Timestamp now, std::size_t max_bytes);
  void send(Frames& frames, const Event& event, Timestamp now);
  void append(Frames& frames, std::string_view type, const ObjectPtr& object, Timestamp now);

  Start start_;
  std::size_t sent_initial_ = 0;
  bool sent_columns_ = false;
  bool ended_ = false;
  Timestamp next_bookmark_;
};

}  // namespace ebb::apiserver
