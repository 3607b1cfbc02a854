#include "apiserver/managedfields/field_manager.h"

#include <utility>

#include <boost/json/parse.hpp>

#include "apiserver/managedfields/field_walks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using schema::Field;
using schema::Kind;
using schema::ObjectSchema;
using schema::Type;

namespace {

constexpr std::size_t kMaxUpdates = 10;

// The identity of an object, and the fields that only the server sets.
const FieldSet& unowned_fields() {
  static const FieldSet kUnowned({{"f:apiVersion"},
                                  {"f:kind"},
                                  {"f:metadata"},
                                  {"f:metadata", "f:name"},
                                  {"f:metadata", "f:namespace"},
                                  {"f:metadata", "f:creationTimestamp"},
                                  {"f:metadata", "f:selfLink"},
                                  {"f:metadata", "f:uid"},
                                  {"f:metadata", "f:clusterName"},
                                  {"f:metadata", "f:generation"},
                                  {"f:metadata", "f:managedFields"},
                                  {"f:metadata", "f:resourceVersion"}});
  return kUnowned;
}

FieldSet ownable(FieldSet set) { return difference(std::move(set), unowned_fields()); }

FieldChanges changes_of(const FieldWrite& write, const json::object& before,
                        const json::object& after) {
  FieldChanges changes = compare_fields(*write.kind.schema, before, after);
  for (FieldSet* set : {&changes.added, &changes.modified, &changes.removed}) {
    *set = recursive_difference(std::move(*set), write.ignored);
  }
  return changes;
}

// Removes changed and removed places from the other managers.
void take_from_others(const FieldSet& touched, const FieldSet& removed, const Manager& writer,
                      ManagedFields& managed) {
  for (ManagedEntry& entry : managed.entries()) {
    if (entry.manager.is_same_as(writer)) continue;
    if (!entry.owned.has_any(touched) && !entry.owned.reaches(removed)) continue;
    entry.owned =
        OwnedFields(recursive_difference(difference(entry.owned.set(), touched), removed));
  }
  managed.drop_empty();
}

json::object blank_of(const ObjectSchema& schema) {
  json::object blank;
  schema::for_each_field(schema, [&](const Field& field) {
    if (field.is_always && field.type == Type::kObject) {
      blank.emplace(field.name, blank_of(*field.schema));
    } else if (field.is_always) {
      json::error_code error;
      blank.emplace(field.name, json::parse(field.default_json, error));
    } else if (field.is_required || field.is_null_if_absent) {
      // Go writes null for an absent list or pointer without omitempty.
      blank.emplace(field.name, nullptr);
    }
  });
  return blank;
}

// An empty list, or a list with an empty entry, asks to remove all entries.
bool is_reset(const json::array& entries) {
  if (entries.empty()) return true;
  const json::object* only = entries.size() == 1 ? entries[0].if_object() : nullptr;
  return only != nullptr && only->empty();
}

FieldSet owned_by_all(const ManagedFields& managed) {
  FieldSet all;
  for (const ManagedEntry& entry : managed.entries()) all = united(all, entry.owned.set());
  return all;
}

// Removes the fields that the applier owned and no longer mentions, unless another manager owns
// them.
//
// A structure's field counts as a place here even if only its contents are owned. A value that
// would go only because its parent goes stays, because this applier did not own it.
json::object prune(const ObjectSchema& schema, const json::object& merged, const FieldSet& last,
                   const ManagedFields& managed) {
  if (last.empty()) return merged;
  const auto places_in = [&](const json::object& object) {
    return with_named_fields(schema, fields_of(schema, object));
  };
  const FieldSet mentioned_last = with_named_fields(schema, last);
  const FieldSet all = places_in(merged);
  const FieldSet left = places_in(without_fields(schema, merged, mentioned_last));
  const FieldSet owned = with_named_fields(schema, owned_by_all(managed));
  const FieldSet unowned = difference(all, united(left, owned));
  const FieldSet still_left = places_in(without_fields(schema, merged, unowned));
  return without_fields(schema, merged, intersection(difference(all, still_left), mentioned_last));
}

FieldConflicts conflicts_of(const ManagedFields& managed, const Manager& applier,
                            const FieldSet& touched) {
  FieldConflicts conflicts;
  for (const ManagedEntry& entry : managed.entries()) {
    if (entry.manager.is_same_as(applier) || !entry.owned.has_any(touched)) continue;
    conflicts.push_back(
        {.manager = entry.manager, .fields = intersection(entry.owned.set(), touched)});
  }
  return conflicts;
}

}  // namespace

const FieldSet& ignored_fields(const Kind& kind, std::string_view subresource) {
  static const FieldSet kNone;
  static const FieldSet kStatus({{"f:status"}});
  static const FieldSet kSpec({{"f:spec"}});
  static const FieldSet kOfPod(
      {{"f:spec"}, {"f:metadata", "f:deletionTimestamp"}, {"f:metadata", "f:ownerReferences"}});
  static const FieldSet kOfDeployment({{"f:spec"}, {"f:metadata", "f:labels"}});
  static const FieldSet kOfCustom({{"f:spec"}, {"f:metadata"}});
  if (subresource.empty()) return kind.has_status ? kStatus : kNone;
  if (subresource != "status") return kNone;
  if (kind.custom) return kOfCustom;
  if (kind.name == "Pod") return kOfPod;
  return kind.name == "Deployment" ? kOfDeployment : kSpec;
}

ManagedFields managed_fields_of(const json::object& draft) {
  return ManagedFields::decode(schema::text_at(draft, {"metadata", "managedFields"}));
}

json::object blank_object(const Kind& kind) {
  return kind.custom ? json::object() : blank_of(*kind.schema);
}

ManagedFields track_update(const FieldWrite& write, ManagedFields managed, const json::object& live,
                           const json::object& wanted) {
  FieldChanges changes = changes_of(write, live, wanted);
  if (changes.empty()) return managed;
  FieldSet touched = united(std::move(changes.added), std::move(changes.modified));
  take_from_others(touched, changes.removed, write.manager, managed);
  const FieldSet taken = ownable(std::move(touched));
  ManagedEntry* own = managed.find(write.manager);
  if (own != nullptr && own->owned.reaches(changes.removed)) {
    own->owned = OwnedFields(recursive_difference(own->owned.set(), changes.removed));
  }
  if (own == nullptr && !taken.empty()) {
    managed.set(write.manager, taken, write.now);
  } else if (!taken.empty()) {
    // A manager that writes the same fields again owns them already.
    if (!own->owned.has_all(taken)) {
      own->owned = OwnedFields(with_more_fields(own->owned.fields(), taken));
    }
    own->time = write.now;
  }
  managed.drop_empty();
  managed.cap_updates(kMaxUpdates);
  return managed;
}

ManagedFields track_update(const FieldWrite& write, const json::object* live,
                           const json::object& wanted) {
  const json::array* sent = schema::array_at(wanted, {"metadata", "managedFields"});
  // Entries can be set through the main resource only, not through a subresource.
  const bool may_set = write.manager.subresource.empty();
  ManagedFields managed;
  if (may_set && sent != nullptr && is_reset(*sent)) {
    if (live != nullptr) return managed;
  } else if (may_set && sent != nullptr) {
    // Entries that a client read and sends back equal the live ones; changed ones replace them.
    Result<ManagedFields> given = ManagedFields::decode_foreign(*sent);
    if (given && !given->empty()) managed = *std::move(given);
  }
  if (managed.empty() && live != nullptr) {
    managed = managed_fields_of(*live);
    // Ownership was not tracked so far: it starts with the first apply.
    if (managed.empty()) return managed;
  }
  return track_update(write, std::move(managed), live == nullptr ? blank_object(write.kind) : *live,
                      wanted);
}

tl::expected<Applied, FieldConflicts> apply_fields(const FieldWrite& write, ManagedFields managed,
                                                   const json::object& live,
                                                   const json::object& configuration, bool force) {
  const ObjectSchema& schema = *write.kind.schema;
  if (managed.empty()) {
    // The existing fields belong to the manager "before-first-apply".
    FieldWrite before = write;
    before.manager.name = "before-first-apply";
    before.manager.applies = false;
    managed = track_update(before, ManagedFields(), blank_object(write.kind), live);
  }
  const ManagedEntry* own = managed.find(write.manager);
  const FieldSet last =
      own == nullptr ? FieldSet() : recursive_difference(own->owned.set(), write.ignored);
  const FieldSet claimed = recursive_difference(fields_of(schema, configuration), write.ignored);
  managed.set(write.manager, claimed, "");

  json::object object = prune(schema, merge_applied(schema, live, configuration), last, managed);
  const FieldChanges changes = changes_of(write, live, object);
  const FieldSet touched = united(changes.added, changes.modified);
  FieldConflicts conflicts = conflicts_of(managed, write.manager, touched);
  if (!force && !conflicts.empty()) return tl::unexpected(std::move(conflicts));

  take_from_others(touched, changes.removed, write.manager, managed);
  // If only the owners changed, the entry keeps its time, if it has one.
  managed.set(write.manager, ownable(claimed), object == live ? "" : write.now);
  return Applied{.object = std::move(object), .managed = std::move(managed)};
}

}  // namespace ebb::apiserver
