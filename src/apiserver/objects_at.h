// The objects of a kind as they were at a revision, one after the other from a key on.
//
// A page of a long list costs what is on it and what changed since, however many objects there are.
#pragma once

#include <deque>
#include <map>

#include "apiserver/stored.h"

namespace ebb::apiserver {

class ObjectsAt {
 public:
  // `history` has every change after the revision. Neither may change while this is read.
  ObjectsAt(const ObjectSet& now, const std::deque<Event>& history, model::Revision revision,
            const InOrderOfKeys::Key& from);

  // Nothing: that was all.
  [[nodiscard]] ObjectPtr next();

 private:
  ObjectSet::const_iterator now_;
  ObjectSet::const_iterator end_;
  // What has changed since, as it was: empty if it was not there.
  std::map<InOrderOfKeys::Key, ObjectPtr> before_;
};

}  // namespace ebb::apiserver
