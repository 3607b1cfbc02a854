// A watch: a cursor over the history of a kind.
//
// A cursor holds a place, not events: a watcher that reads slowly costs nothing until the
// place it stands at leaves the history; then it is told so (410) and has to list again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/api_server.h"
#include "apiserver/represent.h"
#include "apiserver/selectors.h"
#include "apiserver/store.h"

namespace ebb::apiserver {

// Which objects a list or watch is about.
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
    // Changes after this revision are sent.
    Revision after = 0;
    // First these, as ADDED.
    std::vector<ObjectPtr> initial;
    bool marks_end_of_initial = false;  // then a bookmark that says that these were all
    bool bookmarks = false;
    Timestamp deadline;
  };

  WatchCursor(Start start, Timestamp now);

  [[nodiscard]] Frames next(const Store& store, Timestamp now, std::size_t most_bytes);

 private:
  void send_initial(Frames& frames, Timestamp now, std::size_t most_bytes);
  void send_events(Frames& frames, const Store& store, Timestamp now, std::size_t most_bytes);
  void send(Frames& frames, const Event& event, Timestamp now);
  void append(Frames& frames, std::string_view type, const ObjectPtr& object, Timestamp now);

  Start start_;
  std::size_t sent_initial_ = 0;
  bool sent_columns_ = false;
  bool ended_ = false;
  Timestamp next_bookmark_;
};

}  // namespace ebb::apiserver
