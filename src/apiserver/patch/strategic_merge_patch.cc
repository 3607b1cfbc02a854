// Kubernetes' strategic merge patch: a merge patch that knows the structure of lists.
//
// Maps merge field by field, and null removes a field. Lists with a merge key merge entry by entry,
// lists with set semantics add missing values, and all other lists are replaced. Where the schema
// is unknown, maps merge and lists are replaced. Recursion is as deep as the patch, which its
// parser bounds.
#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/patch/json_edit.h"
#include "apiserver/patch/list_order.h"
#include "apiserver/patch/patch.h"
#include "apiserver/patch/patch_directives.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::bad_request;
using model::StatusOr;
using schema::Field;
using schema::Form;
using schema::ObjectSchema;

namespace {

using Outcome = StatusOr<void>;

// The schema of a value; empty where it is unknown.
struct Known {
  const ObjectSchema* schema = nullptr;   // of an object: its fields
  const ObjectSchema* entries = nullptr;  // of a map: the schema of each value
  const Field* list = nullptr;            // of a list: how it merges
};

Known member(const Known& object, std::string_view name) {
  if (object.entries != nullptr) return {.schema = object.entries};
  const Field* field = object.schema == nullptr ? nullptr : object.schema->find(name);
  if (field == nullptr) return {};
  switch (field->form) {
    case Form::kOne:
      return {.schema = field->schema};
    case Form::kMap:
      return {.entries = field->schema};
    case Form::kList:
      return {.list = field};
  }
  return {};
}

Known entry_of(const Known& list) {
  return {.schema = list.list == nullptr ? nullptr : list.list->schema};
}

bool is_keyed(const Known& known) {
  return known.list != nullptr && !known.list->merge_key.empty();
}
bool is_united(const Known& known) {
  return known.list != nullptr && known.list->merge_key.empty() && known.list->unites;
}

Outcome merge_map(const Known& known, json::object& target, const json::object& patch);

StatusOr<std::optional<json::value>> fresh(const Known& known, const json::value& value);

StatusOr<json::array> fresh_list(const Known& known, const json::array& list) {
  json::array made;
  for (const json::value& entry : list) {
    if (const json::object* object = entry.if_object()) {
      // In a list, `$patch: replace` applies to the list; the entry only carries the directive.
      EBB_ASSIGN_OR_RETURN(auto directives, read_directives(*object));
      if (directives.patch == PatchDirective::kReplace) continue;
    }
    EBB_ASSIGN_OR_RETURN(auto one, fresh(entry_of(known), entry));
    if (one) made.push_back(std::move(*one));
  }
  return made;
}

// Prepares a value that is new to the document: removes nulls and directives. Nothing if its
// directive deletes it.
StatusOr<std::optional<json::value>> fresh(const Known& known, const json::value& value) {
  if (const json::array* list = value.if_array()) return fresh_list(known, *list);
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  EBB_ASSIGN_OR_RETURN(auto directives, read_directives(*object));
  if (directives.patch == PatchDirective::kDelete) return std::nullopt;
  json::object made;
  EBB_RETURN_IF_ERROR(merge_map(known, made, *object));
  return json::value(std::move(made));
}

// A list in a patch.
struct ListPatch {
  bool replaces = false;
  std::unordered_set<std::string> deleted;
  std::vector<const json::object*> entries;
  std::vector<std::string> identities;  // of the entries
};

StatusOr<ListPatch> read_list_patch(const Field& list, const json::array& patch) {
  ListPatch read;
  for (const json::value& entry : patch) {
    const json::object* object = entry.if_object();
    if (object == nullptr) return tl::unexpected(bad_type(json::kind::object, entry));
    EBB_ASSIGN_OR_RETURN(auto directives, read_directives(*object));
    if (directives.patch == PatchDirective::kReplace) {
      read.replaces = true;
      continue;
    }
    std::string identity = identity_of(list, entry);
    if (identity.empty()) return tl::unexpected(no_merge_key(*object, list.merge_key));
    if (directives.patch == PatchDirective::kDelete) {
      read.deleted.insert(std::move(identity));
    } else {
      read.entries.push_back(object);
      read.identities.push_back(std::move(identity));
    }
  }
  return read;
}

void remove_entries(const Field& list, json::array& entries, const ListPatch& patch) {
  if (patch.deleted.empty()) return;
  const auto gone = std::remove_if(entries.begin(), entries.end(), [&](const json::value& entry) {
    return patch.deleted.contains(identity_of(list, entry));
  });
  entries.erase(gone, entries.end());
}

// Replaces the list by the patch's. Entries with the same key are not merged, which is how users
// get a port with two protocols into a list that merges by port.
Outcome replace_list(const Known& known, json::array& target, const json::array& patch) {
  EBB_ASSIGN_OR_RETURN(target, fresh_list(known, patch));
  return {};
}

// Merges the patch's entries into existing ones, and adds the others. If several entries have the
// same key, the first one is merged.
Outcome merge_entries(const Known& known, json::array& entries, const ListPatch& patch) {
  std::unordered_map<std::string, std::size_t> places;
  const std::vector<std::string> before = identities_of(*known.list, entries);
  for (std::size_t i = 0; i < before.size(); ++i) places.emplace(before[i], i);
  for (std::size_t i = 0; i < patch.entries.size(); ++i) {
    const auto [place, is_new] = places.emplace(patch.identities[i], entries.size());
    if (is_new) entries.emplace_back(json::object());
    json::object& target = entries[place->second].get_object();
    EBB_RETURN_IF_ERROR(merge_map(entry_of(known), target, *patch.entries[i]));
  }
  return {};
}

// Sorts the entries by the directive or, without one, by the patch.
Outcome put_in_order(const Field& list, json::array& entries, const json::array* directive,
                     const std::vector<std::string>& in_patch,
                     const std::vector<std::string>& before) {
  if (directive == nullptr) {
    order_entries(list, entries, in_patch, before);
    return {};
  }
  EBB_ASSIGN_OR_RETURN(auto named, read_element_order(list, *directive, in_patch));
  order_entries(list, entries, named, before);
  return {};
}

Outcome merge_keyed_list(const Known& known, json::array& target, const json::array& patch,
                         const json::array* order) {
  EBB_ASSIGN_OR_RETURN(auto read, read_list_patch(*known.list, patch));
  std::vector<std::string> before;
  Outcome merged;
  if (read.replaces) {
    merged = replace_list(known, target, patch);
  } else {
    remove_entries(*known.list, target, read);
    before = identities_of(*known.list, target);
    merged = merge_entries(known, target, read);
  }
  if (!merged) return merged;
  return put_in_order(*known.list, target, order, read.identities, before);
}

Outcome unite_list(const Known& known, json::array& target, const json::array& patch,
                   const json::array* order) {
  const std::vector<std::string> before = identities_of(*known.list, target);
  json::array united;
  std::unordered_set<std::string> seen;
  for (const json::array* list : {static_cast<const json::array*>(&target), &patch}) {
    for (const json::value& entry : *list) {
      if (entry.is_structured() || entry.is_null()) {
        return tl::unexpected(bad_type(json::kind::string, entry));
      }
      if (seen.insert(json::serialize(entry)).second) united.push_back(entry);
    }
  }
  target = std::move(united);
  return put_in_order(*known.list, target, order, identities_of(*known.list, patch), before);
}

Outcome merge_list(const Known& known, json::array& target, const json::array& patch,
                   const json::array* order) {
  if (is_keyed(known)) return merge_keyed_list(known, target, patch, order);
  if (is_united(known)) return unite_list(known, target, patch, order);
  return replace_list(known, target, patch);
}

// Adds a field that was absent or of another type.
Outcome add_member(const Known& known, json::object& target, std::string_view name,
                   const json::value& value, const json::array* order) {
  EBB_ASSIGN_OR_RETURN(auto made, fresh(known, value));
  if (!made) {
    erase_fields(target, {name});
    return {};
  }
  json::value& added = target[name];
  added = std::move(*made);
  if (order == nullptr || !added.is_array() || (!is_keyed(known) && !is_united(known))) return {};
  const std::vector<std::string> in_patch = identities_of(*known.list, added.get_array());
  return put_in_order(*known.list, added.get_array(), order, in_patch, {});
}

Outcome merge_member(const Known& known, json::object& target, std::string_view name,
                     const json::value& value, const json::array* order) {
  json::value* old = target.if_contains(name);
  if (old != nullptr && old->is_object() && value.is_object()) {
    return merge_map(known, old->get_object(), value.get_object());
  }
  if (old != nullptr && old->is_array() && value.is_array()) {
    return merge_list(known, old->get_array(), value.get_array(), order);
  }
  return add_member(known, target, name, value, order);
}

// `$retainKeys` must list all fields that the patch sets; other fields are removed.
Outcome retain_keys(json::object& target, const json::object& patch, const json::array& retained) {
  std::unordered_set<std::string_view> kept;
  for (const json::value& name : retained) {
    if (name.is_string()) kept.insert(name.get_string());
  }
  for (const auto& field : patch) {
    if (field.value().is_null() || is_directive(field.key())) continue;
    if (!kept.contains(field.key())) {
      return tl::unexpected(bad_request("invalid patch format of retainKeys"));
    }
  }
  std::vector<std::string_view> gone;
  for (const auto& field : target) {
    if (!kept.contains(field.key())) gone.push_back(field.key());
  }
  // Copied, because the names belong to the target, which changes.
  const std::vector<std::string> names(gone.begin(), gone.end());
  erase_fields(target, {names.begin(), names.end()});
  return {};
}

// Handles lists that the patch only orders, and values that it removes from lists.
Outcome finish_lists(const Known& known, json::object& target, const json::object& patch,
                     const Directives& directives) {
  for (const auto& [name, order] : directives.orders) {
    json::value* list = target.if_contains(name);
    const Known about = member(known, name);
    if (patch.contains(name) || list == nullptr || !list->is_array()) continue;
    if (!is_keyed(about) && !is_united(about)) continue;
    json::array& entries = list->get_array();
    EBB_RETURN_IF_ERROR(
        put_in_order(*about.list, entries, order, {}, identities_of(*about.list, entries)));
  }
  for (const auto& [name, values] : directives.deletions) {
    json::value* list = target.if_contains(name);
    if (list == nullptr || !list->is_array()) continue;
    std::unordered_set<std::string> gone;
    for (const json::value& value : *values) gone.insert(json::serialize(value));
    json::array& entries = list->get_array();
    const auto end = std::remove_if(entries.begin(), entries.end(), [&](const json::value& entry) {
      return gone.contains(json::serialize(entry));
    });
    entries.erase(end, entries.end());
  }
  return {};
}

Outcome merge_map(const Known& known, json::object& target, const json::object& patch) {
  EBB_ASSIGN_OR_RETURN(auto directives, read_directives(patch));
  if (directives.patch != PatchDirective::kMerge) target.clear();
  if (directives.patch == PatchDirective::kDelete) return {};
  if (directives.retained != nullptr) {
    EBB_RETURN_IF_ERROR(retain_keys(target, patch, *directives.retained));
  }
  std::vector<std::string_view> gone;
  for (const auto& field : patch) {
    const std::string_view name = field.key();
    if (is_directive(name)) continue;
    if (field.value().is_null()) {
      gone.push_back(name);
      continue;
    }
    const auto order = directives.orders.find(name);
    EBB_RETURN_IF_ERROR(merge_member(member(known, name), target, name, field.value(),
                                     order == directives.orders.end() ? nullptr : order->second));
  }
  erase_fields(target, gone);
  return finish_lists(known, target, patch, directives);
}

}  // namespace

StatusOr<json::object> strategic_merge_patch(const ObjectSchema& schema, json::object document,
                                             const json::object& patch) {
  EBB_RETURN_IF_ERROR(merge_map({.schema = &schema}, document, patch));
  return document;
}

}  // namespace ebb::apiserver
