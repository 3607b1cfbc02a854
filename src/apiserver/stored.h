// What the store keeps: objects in the order of their keys, and the changes that they went through.
#pragma once

#include <set>
#include <string_view>
#include <utility>

#include "apiserver/object.h"
#include "base/timestamp.h"

namespace ebb::apiserver {

// A published change of one object.
struct Event {
  model::Revision revision = 0;
  Timestamp time;
  ObjectPtr object;    // after the change; of a deletion the last state, at this revision
  ObjectPtr previous;  // before it; empty for a creation
  bool deleted = false;
};

// Objects in the order of namespace and name.
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
