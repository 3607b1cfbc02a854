// All objects, what is staged on top of them, and the recent past.
//
// There is one revision counter for everything. A write is staged first: writers see it
// (`newest`), readers do not. Publishing moves it to where readers look, and into the history
// from which watches and continued lists are served. What was staged either gets
// published in order, or is discarded altogether.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/api_server.h"
#include "apiserver/objects_at.h"
#include "apiserver/stored.h"
#include "base/timestamp.h"

namespace ebb::apiserver {

class Store {
 public:
  explicit Store(const Settings& settings) : settings_(settings) {}

  // What readers see.
  [[nodiscard]] Revision published() const { return published_; }
  [[nodiscard]] ObjectPtr find(const schema::Kind& kind, std::string_view namespace_name,
                               std::string_view name) const;
  [[nodiscard]] const ObjectSet& objects(const schema::Kind& kind) const;
  // As they were at a revision that is in the history (see can_go_back_to), from the key on.
  [[nodiscard]] ObjectsAt objects_at(const schema::Kind& kind, Revision revision,
                                     const InOrderOfKeys::Key& from) const;

  // What writers see: everything staged is in it.
  [[nodiscard]] ObjectPtr newest(const schema::Kind& kind, std::string_view namespace_name,
                                 std::string_view name) const;
  [[nodiscard]] std::vector<ObjectPtr> all_newest(const schema::Kind& kind,
                                                  std::string_view namespace_name) const;

  ObjectPtr put(const schema::Kind& kind, boost::json::object content, Timestamp now);
  // Given the last state; returns it at the revision of the deletion.
  ObjectPtr remove(const schema::Kind& kind, boost::json::object last_content, Timestamp now);

  [[nodiscard]] std::vector<Change> take_staged();
  void publish(Revision last, Timestamp now);
  void discard();

  void restore_history_start(Revision history_start);
  void restore(const ObjectPtr& object, bool deleted, Timestamp time);
  // For objects that are to be restored.
  [[nodiscard]] TextPool& texts() { return texts_; }
  [[nodiscard]] Forgotten take_forgotten();

  // Whether every change of the kind after this revision is still known.
  [[nodiscard]] bool can_go_back_to(const schema::Kind& kind, Revision revision) const;
  // The changes of a kind, oldest first.
  [[nodiscard]] const std::deque<Event>& history(const schema::Kind& kind) const;

 private:
  struct Collection {
    ObjectSet objects;
    // The newest staged state by key; an empty pointer is a staged deletion.
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
  TextPool texts_;  // what the objects share
  mutable std::map<const schema::Kind*, Collection> collections_;
  Revision published_ = 0;
  Revision last_revision_ = 0;  // given to a change, published or not
  std::deque<Event> staged_;
  std::size_t taken_ = 0;  // how many of staged_ take_staged() has handed out
  // In which collection each event of the history is, oldest first.
  std::deque<Collection*> history_order_;
  std::size_t history_bytes_ = 0;  // held by history alone
  Forgotten forgotten_;
  Revision restored_start_ = 0;  // nothing is known of changes up to this one
};

}  // namespace ebb::apiserver
