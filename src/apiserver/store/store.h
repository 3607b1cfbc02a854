// All objects, the changes staged on top of them, and the recent history.
//
// There is one revision counter for all kinds. A write is staged first: writers see it (`newest`),
// readers do not. Publishing makes it visible to readers and adds it to the history, from which
// watches and continued lists are served. Staged changes are either published in order or all
// discarded.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/store/change.h"
#include "apiserver/store/revision_cursor.h"
#include "apiserver/store/stored.h"
#include "base/timestamp.h"

namespace ebb::apiserver {

class Store {
 public:
  explicit Store(const Settings& settings) : settings_(settings) {}

  // The state that readers see.
  [[nodiscard]] Revision published() const { return published_; }
  [[nodiscard]] ObjectPtr find(const schema::Kind& kind, std::string_view namespace_name,
                               std::string_view name) const;
  [[nodiscard]] const ObjectSet& objects(const schema::Kind& kind) const;
  // The objects at a revision that is in the history (see can_go_back_to), starting at the key.
  [[nodiscard]] RevisionCursor cursor_at(const schema::Kind& kind, Revision revision,
                                         const InOrderOfKeys::Key& from) const;

  // The state that writers see, including staged changes.
  [[nodiscard]] ObjectPtr newest(const schema::Kind& kind, std::string_view namespace_name,
                                 std::string_view name) const;
  [[nodiscard]] std::vector<ObjectPtr> all_newest(const schema::Kind& kind,
                                                  std::string_view namespace_name) const;

  ObjectPtr put(const schema::Kind& kind, boost::json::object content, Timestamp now);
  // Takes the last state; returns it at the revision of the deletion.
  ObjectPtr remove(const schema::Kind& kind, boost::json::object last_content, Timestamp now);

  [[nodiscard]] std::vector<Change> take_staged();
  void publish(Revision last, Timestamp now);
  void discard();

  void restore_history_start(Revision history_start);
  void restore(const ObjectPtr& object, bool deleted, Timestamp time);
  // The pool for objects that are restored.
  [[nodiscard]] TextPool& texts() { return texts_; }
  [[nodiscard]] CompactedHistory take_compacted();

  // Returns true if the history has every change of the kind after this revision.
  [[nodiscard]] bool can_go_back_to(const schema::Kind& kind, Revision revision) const;
  // The changes of a kind, oldest first.
  [[nodiscard]] const std::deque<Event>& history(const schema::Kind& kind) const;

 private:
  struct Collection {
    ObjectSet objects;
    // The newest staged state by key; nullptr is a staged deletion.
    std::map<std::pair<std::string, std::string>, ObjectPtr> staged;
    std::deque<Event> history;
    Revision dropped = 0;  // the last change that left the history
  };

  [[nodiscard]] const Collection& collection(const schema::Kind& kind) const;
  [[nodiscard]] Collection& collection(const schema::Kind& kind);
  void stage(Event event);
  void apply(Event event);
  void drop_oldest();
  void drop_old_history(Timestamp now);

  Settings settings_;
  TextPool texts_;  // shared by the objects
  mutable std::map<const schema::Kind*, Collection> collections_;
  Revision published_ = 0;
  Revision last_revision_ = 0;  // of the last change, published or not
  std::deque<Event> staged_;
  std::size_t taken_ = 0;  // number of staged_ that take_staged() has returned
  // The collection of each event in the history, oldest first.
  std::deque<Collection*> history_order_;
  std::size_t history_bytes_ = 0;  // held by the history alone
  CompactedHistory compacted_;
  Revision restored_start_ = 0;  // changes up to this one are not known
};

}  // namespace ebb::apiserver
