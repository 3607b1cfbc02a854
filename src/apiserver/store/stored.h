// The contents of the store: objects in the order of their keys, and their changes.
#pragma once  // private to its room

#include <set>
#include <string_view>
#include <utility>

#include "apiserver/store/object.h"
#include "base/timestamp.h"

namespace ebb::apiserver {

// A published change of one object.
struct Event {
  model::Revision revision = 0;
  Timestamp time;
  ObjectPtr object;    // after the change; for a deletion the last state, at this revision
  ObjectPtr previous;  // before the change; nullptr for a creation
  bool deleted = false;
};

// Orders objects by namespace and name.
struct InOrderOfKeys {
  using is_transparent = void;
  using Key = std::pair<std::string_view, std::string_view>;

  static Key key(const ObjectPtr& object) { return {object->namespace_name(), object->name()}; }
  static Key key(const Key& key) { return key; }

  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return key(a) < key(b);
  }
};
using ObjectSet = std::set<ObjectPtr, InOrderOfKeys>;

}  // namespace ebb::apiserver
