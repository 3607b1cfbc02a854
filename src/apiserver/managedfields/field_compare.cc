// The differences between two states of an object.
//
// If a value appears or disappears, its own place and every place in it are recorded. Two values
// that are both empty or null are compared as a whole, because Kubernetes distinguishes them.
#include <map>
#include <string>
#include <vector>

#include <boost/json/array.hpp>

#include "apiserver/managedfields/field_structure.h"
#include "apiserver/managedfields/field_walks.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// Returns every place in a value that is entirely new or gone, built from the inside out. This is
// the main cost of ownership for creates.
FieldSet all_within(const Structure& structure, const json::value& value);

FieldSet all_in_members(const Structure& structure, const json::object& object) {
  FieldSet set;
  const std::vector<std::string_view> nulls = structure.null_fields();
  set.steps().reserve(object.size() + nulls.size());
  const auto add = [&](std::string_view name, FieldSet below) {
    set.steps().push_back(
        {.text = StepPath{.field = name}.step(), .is_member = true, .below = std::move(below)});
  };
  for (const json::key_value_pair& member : object) {
    if (const auto below = structure.below(member.key())) {
      add(member.key(), all_within(*below, member.value()));
    }
  }
  for (const std::string_view name : nulls) {
    if (!object.contains(name)) add(name, {});
  }
  set.sort();
  return set;
}

FieldSet all_in_entries(const Structure& structure, const json::array& list) {
  FieldSet set;
  for (const EntryStep& entry : entries_in_order(structure, list)) {
    FieldSet::Step& place = set.ensure(entry.step);
    // Entries with the same step are one place.
    place.below = place.is_member ? FieldSet() : all_within(structure.entry(), *entry.value);
    place.is_member = true;
  }
  return set;
}

FieldSet all_within(const Structure& structure, const json::value& value) {
  const Ownership ownership = structure.ownership(&value);
  if (ownership == Ownership::kWhole) return {};
  if (const json::array* list = value.if_array()) return all_in_entries(structure, *list);
  const json::object* object = value.if_object();
  return object == nullptr || object->empty() ? FieldSet() : all_in_members(structure, *object);
}

class Comparer {
 public:
  void compare(const Structure& structure, const json::value* before, const json::value* after,
               const StepPath& path) {
    const Ownership ownership = structure.ownership(before, after);
    if (ownership == Ownership::kWhole || (is_empty(before) && is_empty(after))) {
      return compare_whole(before, after, path);
    }
    if (before == nullptr) {
      return changes_.added.insert(path, all_within(structure, *after));
    }
    if (after == nullptr) {
      return changes_.removed.insert(path, all_within(structure, *before));
    }
    if (ownership == Ownership::kEntries || ownership == Ownership::kValues) {
      compare_lists(structure, array_of(before), array_of(after), path);
    } else {
      compare_members(structure, object_of(before), object_of(after), path);
    }
  }

  void compare_members(const Structure& structure, const json::object& before,
                       const json::object& after, const StepPath& path) {
    for (const json::key_value_pair* member : members_in_order(before)) {
      compare_member(structure, member->key(), &member->value(), after.if_contains(member->key()),
                     path);
    }
    for (const json::key_value_pair* member : members_in_order(after)) {
      if (before.contains(member->key())) continue;
      compare_member(structure, member->key(), nullptr, &member->value(), path);
    }
  }

  FieldChanges take() { return std::move(changes_); }

 private:
  struct Entry {
    const json::value* before = nullptr;
    const json::value* after = nullptr;
    bool repeated = false;
  };
  struct InOrder {
    bool operator()(std::string_view a, std::string_view b) const { return comes_before(a, b); }
  };
  using Entries = std::map<std::string, Entry, InOrder>;  // by step, in the order of sets

  static bool is_empty(const json::value* value) {
    if (value == nullptr || value->is_null()) return true;
    if (const json::array* list = value->if_array()) return list->empty();
    const json::object* object = value->if_object();
    return object != nullptr && object->empty();
  }
  static const json::object& object_of(const json::value* value) {
    static const json::object kNone;
    const json::object* object = value == nullptr ? nullptr : value->if_object();
    return object == nullptr ? kNone : *object;
  }
  static const json::array& array_of(const json::value* value) {
    static const json::array kNone;
    const json::array* list = value == nullptr ? nullptr : value->if_array();
    return list == nullptr ? kNone : *list;
  }

  void compare_whole(const json::value* before, const json::value* after, const StepPath& path) {
    if (before == nullptr) {
      changes_.added.insert(path);
    } else if (after == nullptr) {
      changes_.removed.insert(path);
    } else if (*before != *after) {
      changes_.modified.insert(path);
    }
  }

  void compare_member(const Structure& structure, std::string_view name, const json::value* before,
                      const json::value* after, const StepPath& path) {
    const auto below = structure.below(name);
    if (!below) return;
    const StepPath here{.parent = &path, .field = name};
    if (after == nullptr && below->is_null_if_absent()) {
      if (!before->is_null()) changes_.modified.insert(here);
    } else {
      compare(*below, before, after, here);
    }
  }

  void compare_lists(const Structure& structure, const json::array& before,
                     const json::array& after, const StepPath& path) {
    // Fast path: most entries keep their value and position.
    std::size_t same = 0;
    while (same < before.size() && same < after.size() && before[same] == after[same]) ++same;
    Entries entries;
    for (std::size_t i = same; i < before.size(); ++i) {
      note(structure, before[i], &Entry::before, entries);
    }
    for (std::size_t i = same; i < after.size(); ++i) {
      note(structure, after[i], &Entry::after, entries);
    }
    for (const auto& [step, entry] : entries) {
      const StepPath here{.parent = &path, .entry = step};
      if (entry.repeated) {
        compare_whole(entry.before, entry.after, here);
      } else {
        compare(structure.entry(), entry.before, entry.after, here);
      }
    }
  }

  static void note(const Structure& structure, const json::value& value,
                   const json::value* Entry::*side, Entries& entries) {
    const auto step = structure.step(value);
    if (!step) return;
    Entry& entry = entries[*step];
    // Entries with the same step are one place.
    if (entry.*side != nullptr) entry.repeated = true;
    entry.*side = entry.*side == nullptr ? &value : entry.*side;
  }

  FieldChanges changes_;
};

}  // namespace

FieldChanges compare_fields(const schema::ObjectSchema& schema, const json::object& before,
                            const json::object& after) {
  Comparer comparer;
  comparer.compare_members(Structure(schema), before, after, StepPath{});
  return comparer.take();
}

}  // namespace ebb::apiserver
