#include "apiserver/managed_fields.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kAncientChanges = "ancient-changes";
constexpr std::string_view kApply = "Apply";
constexpr std::string_view kUpdate = "Update";
constexpr std::string_view kItself = ".";

// FieldsV1 has a place of its own where nothing is below it, or "." is.
bool is_member(const json::value& below) {
  const json::object* object = below.if_object();
  return object == nullptr || object->empty() || object->contains(kItself);
}

const json::object& object_of(const json::value& value) {
  static const json::object kNone;
  const json::object* object = value.if_object();
  return object == nullptr ? kNone : *object;
}

bool any_owned(const json::object& fields, const FieldSet& set) {
  return std::any_of(set.steps().begin(), set.steps().end(), [&](const FieldSet::Step& step) {
    const json::value* found = fields.if_contains(step.text);
    if (found == nullptr) return false;
    return (step.is_member && is_member(*found)) || any_owned(object_of(*found), step.below);
  });
}

bool all_owned(const json::object& fields, const FieldSet& set) {
  return std::all_of(set.steps().begin(), set.steps().end(), [&](const FieldSet::Step& step) {
    const json::value* found = fields.if_contains(step.text);
    if (found == nullptr) return false;
    return (!step.is_member || is_member(*found)) && all_owned(object_of(*found), step.below);
  });
}

bool any_reached(const json::object& fields, const FieldSet& set) {
  return std::any_of(set.steps().begin(), set.steps().end(), [&](const FieldSet::Step& step) {
    const json::value* found = fields.if_contains(step.text);
    if (found == nullptr) return false;
    return step.is_member || any_reached(object_of(*found), step.below);
  });
}

Result<ManagedEntry> decode_entry(const json::value& value) {
  const json::object& entry = object_of(value);
  const std::string_view operation = schema::text_at(entry, {"operation"});
  if (operation != kApply && operation != kUpdate) {
    return fail(ErrorCode::kInvalidInput, "operation must be `Apply` or `Update`");
  }
  const std::string_view api_version = schema::text_at(entry, {"apiVersion"});
  if (api_version.empty()) return fail(ErrorCode::kInvalidInput, "apiVersion must not be empty");
  const std::string_view type = schema::text_at(entry, {"fieldsType"});
  if (type != "FieldsV1") {
    return fail(ErrorCode::kInvalidInput, fmt::format("invalid fieldsType \"{}\"", type));
  }
  const json::object* fields = schema::object_at(entry, {"fieldsV1"});
  return ManagedEntry{
      .manager = {.name = std::string(schema::text_at(entry, {"manager"})),
                  .applies = operation == kApply,
                  .api_version = std::string(api_version),
                  .subresource = std::string(schema::text_at(entry, {"subresource"}))},
      .time = std::string(schema::text_at(entry, {"time"})),
      .owned = Ownings(fields == nullptr ? json::object() : *fields)};
}

json::object encode_entry(const ManagedEntry& entry) {
  json::object object;
  object.reserve(7);
  if (!entry.manager.name.empty()) object["manager"] = entry.manager.name;
  object["operation"] = entry.manager.applies ? kApply : kUpdate;
  object["apiVersion"] = entry.manager.api_version;
  if (!entry.time.empty()) object["time"] = entry.time;
  object["fieldsType"] = "FieldsV1";
  object["fieldsV1"] = entry.owned.fields();
  if (!entry.manager.subresource.empty()) object["subresource"] = entry.manager.subresource;
  return object;
}

// Times are texts of one form, so they order as texts; none comes first.
bool stands_before(const ManagedEntry& a, const ManagedEntry& b) {
  const auto key = [](const ManagedEntry& entry) {
    const Manager& manager = entry.manager;
    return std::tie(entry.time, manager.name, manager.api_version, manager.subresource);
  };
  if (a.manager.applies != b.manager.applies) return a.manager.applies;
  return key(a) < key(b);
}

}  // namespace

std::string Manager::text() const {
  std::string text = json::serialize(json::value(name));
  if (!subresource.empty()) text += fmt::format(" with subresource \"{}\"", subresource);
  if (!applies) text += fmt::format(" using {}", api_version);
  return text;
}

FieldSet Ownings::set() const {
  Result<FieldSet> parsed = parse_fields_v1(fields_);
  // Entries are looked at when they come in; ours we wrote ourselves.
  return parsed ? *std::move(parsed) : FieldSet();
}

bool Ownings::has_any(const FieldSet& set) const { return any_owned(fields_, set); }
bool Ownings::has_all(const FieldSet& set) const { return all_owned(fields_, set); }
bool Ownings::reaches(const FieldSet& set) const { return any_reached(fields_, set); }

Result<ManagedFields> ManagedFields::decode(const json::array& entries) {
  ManagedFields managed;
  managed.entries_.reserve(entries.size());
  for (const json::value& value : entries) {
    Result<ManagedEntry> entry = decode_entry(value);
    if (!entry) return tl::unexpected(entry.error());
    // Of two entries about one manager the later one counts.
    if (ManagedEntry* known = managed.find(entry->manager)) {
      *known = *std::move(entry);
    } else {
      managed.entries_.push_back(*std::move(entry));
    }
  }
  return managed;
}

Result<ManagedFields> ManagedFields::decode_foreign(const json::array& entries) {
  Result<ManagedFields> managed = decode(entries);
  if (!managed) return managed;
  for (ManagedEntry& entry : managed->entries_) {
    const Result<FieldSet> fields = parse_fields_v1(entry.owned.fields());
    if (!fields) return tl::unexpected(fields.error());
    entry.owned = Ownings(*fields);
  }
  managed->drop_empty();
  return managed;
}

json::array ManagedFields::encode() const {
  std::vector<const ManagedEntry*> sorted;
  sorted.reserve(entries_.size());
  for (const ManagedEntry& entry : entries_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return stands_before(*a, *b); });
  json::array encoded;
  encoded.reserve(sorted.size());
  for (const ManagedEntry* entry : sorted) encoded.emplace_back(encode_entry(*entry));
  return encoded;
}

ManagedEntry* ManagedFields::find(const Manager& manager) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const ManagedEntry& entry) {
    return entry.manager.is_same_as(manager);
  });
  return found == entries_.end() ? nullptr : &*found;
}

const ManagedEntry* ManagedFields::find(const Manager& manager) const {
  return const_cast<ManagedFields*>(this)->find(manager);  // NOLINT: nothing is changed
}

void ManagedFields::set(const Manager& manager, const FieldSet& owned, std::string_view time) {
  ManagedEntry* entry = find(manager);
  if (entry == nullptr) {
    entries_.push_back({.manager = manager, .time = {}, .owned = Ownings(FieldSet())});
    entry = &entries_.back();
  }
  entry->manager = manager;
  entry->owned = Ownings(owned);
  if (!time.empty()) entry->time = time;
  drop_empty();
}

void ManagedFields::drop_empty() {
  std::erase_if(entries_, [](const ManagedEntry& entry) { return entry.owned.empty(); });
}

void ManagedFields::cap_updates(std::size_t most) {
  std::vector<ManagedEntry> updates;
  for (const ManagedEntry& entry : entries_) {
    if (!entry.manager.applies) updates.push_back(entry);
  }
  if (updates.size() <= most) return;
  std::sort(updates.begin(), updates.end(), stands_before);
  std::erase_if(entries_, [](const ManagedEntry& entry) { return !entry.manager.applies; });

  // Only one version of each kind is served, so that all the oldest can become one.
  const std::size_t excess = updates.size() - most;
  FieldSet ancient;
  for (std::size_t i = 0; i <= excess; ++i) ancient = united(ancient, updates[i].owned.set());
  Manager manager{.name = std::string(kAncientChanges),
                  .applies = false,
                  .api_version = updates[excess].manager.api_version,
                  .subresource = {}};
  const std::string time = updates[excess].time;
  updates.erase(updates.begin(), updates.begin() + static_cast<std::ptrdiff_t>(excess) + 1);
  for (ManagedEntry& entry : updates) entries_.push_back(std::move(entry));
  set(manager, ancient, time);
}

bool same_but_for_times(const json::array& a, const json::array& b) {
  const auto same_entry = [](const json::value& x, const json::value& y) {
    json::object left = object_of(x);
    json::object right = object_of(y);
    left.erase("time");
    right.erase("time");
    return left == right;
  };
  // Entries may stand in another order, since times order them.
  return a.size() == b.size() &&
         std::is_permutation(a.begin(), a.end(), b.begin(), b.end(), same_entry);
}

}  // namespace ebb::apiserver
