// Iterates over the objects of a kind as they were at a revision, starting at a key.
//
// The cost of a page depends on its size and on the changes since the revision, not on the number
// of objects.
#pragma once  // private to its room

#include <deque>
#include <map>

#include "apiserver/store/stored.h"

namespace ebb::apiserver {

class RevisionCursor {
 public:
  // `history` contains every change after the revision. Neither may change while this is in use.
  RevisionCursor(const ObjectSet& now, const std::deque<Event>& history, model::Revision revision,
                 const InOrderOfKeys::Key& from);

  // Returns nullptr at the end.
  [[nodiscard]] ObjectPtr next();

 private:
  ObjectSet::const_iterator now_;
  ObjectSet::const_iterator end_;
  // The objects that have changed since, in their old state; nullptr if they did not exist.
  std::map<InOrderOfKeys::Key, ObjectPtr> before_;
};

}  // namespace ebb::apiserver
