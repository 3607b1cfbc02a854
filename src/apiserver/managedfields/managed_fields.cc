#include "apiserver/managedfields/managed_fields.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/decode/compact_json.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kAncientChanges = "ancient-changes";
constexpr std::string_view kApply = "Apply";
constexpr std::string_view kUpdate = "Update";

// The members of a FieldsV1 object. Small objects are searched for each step; large ones are
// indexed once.
class Members {
 public:
  Members(std::string_view fields, std::size_t steps) : fields_(fields) {
    constexpr std::size_t kFew = 8;
    if (steps <= kFew) return;
    is_known_ = true;
    for_each_member(fields, [&](std::string_view name, std::string_view value) {
      known_.emplace(name, value);
      return true;
    });
  }

  // The value of a step; empty if it is missing.
  [[nodiscard]] std::string_view below(const FieldSet::Step& step) const {
    std::string quoted;
    append_quoted(step.text, quoted);
    const std::string_view name = std::string_view(quoted).substr(1, quoted.size() - 2);
    if (is_known_) {
      const auto found = known_.find(name);
      return found == known_.end() ? std::string_view() : found->second;
    }
    std::string_view found;
    for_each_member(fields_, [&](std::string_view each, std::string_view value) {
      if (each == name) found = value;
      return found.empty();
    });
    return found;
  }

 private:
  std::string_view fields_;
  bool is_known_ = false;
  std::unordered_map<std::string_view, std::string_view> known_;
};

// In FieldsV1 a place is owned itself if its value is {} or begins with ".".
bool is_member(std::string_view below) { return below == "{}" || below.starts_with(R"({".":)"); }

bool any_owned(std::string_view fields, const FieldSet& set) {
  const Members members(fields, set.steps().size());
  return std::any_of(set.steps().begin(), set.steps().end(), [&](const FieldSet::Step& step) {
    const std::string_view below = members.below(step);
    if (below.empty()) return false;
    return (step.is_member && is_member(below)) || any_owned(below, step.below);
  });
}

bool all_owned(std::string_view fields, const FieldSet& set) {
  const Members members(fields, set.steps().size());
  return std::all_of(set.steps().begin(), set.steps().end(), [&](const FieldSet::Step& step) {
    const std::string_view below = members.below(step);
    if (below.empty()) return false;
    return (!step.is_member || is_member(below)) && all_owned(below, step.below);
  });
}

bool any_reached(std::string_view fields, const FieldSet& set) {
  const Members members(fields, set.steps().size());
  return std::any_of(set.steps().begin(), set.steps().end(), [&](const FieldSet::Step& step) {
    const std::string_view below = members.below(step);
    if (below.empty()) return false;
    return step.is_member || any_reached(below, step.below);
  });
}

std::string text_of(std::string_view value) {
  if (value.size() < 2 || value.front() != '"') return {};
  return unescaped(value.substr(1, value.size() - 2)).value_or("");
}

ManagedEntry decode_stored(std::string_view text) {
  ManagedEntry entry{.manager = {}, .time = {}, .owned = OwnedFields::stored("{}")};
  for_each_member(text, [&](std::string_view name, std::string_view value) {
    if (name == "manager") entry.manager.name = text_of(value);
    if (name == "operation") entry.manager.applies = text_of(value) == kApply;
    if (name == "apiVersion") entry.manager.api_version = text_of(value);
    if (name == "subresource") entry.manager.subresource = text_of(value);
    if (name == "time") entry.time = text_of(value);
    if (name == "fieldsV1") entry.owned = OwnedFields::stored(value);
    return true;
  });
  return entry;
}

Result<ManagedEntry> decode_sent(const json::value& value) {
  const json::object* given = value.if_object();
  const json::object entry = given == nullptr ? json::object() : *given;
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
  const json::value* fields = entry.if_contains("fieldsV1");
  EBB_ASSIGN_OR_RETURN(const FieldSet set,
                       parse_fields_v1(fields == nullptr ? "{}" : json::serialize(*fields)));
  return ManagedEntry{
      .manager = {.name = std::string(schema::text_at(entry, {"manager"})),
                  .applies = operation == kApply,
                  .api_version = std::string(api_version),
                  .subresource = std::string(schema::text_at(entry, {"subresource"}))},
      .time = std::string(schema::text_at(entry, {"time"})),
      .owned = OwnedFields(set)};
}

void add_member(std::string_view name, std::string_view text, std::string& out) {
  if (text.empty()) return;
  if (out.back() != '{') out += ',';
  append_quoted(name, out);
  out += ':';
  append_quoted(text, out);
}

void encode_entry(const ManagedEntry& entry, std::string& out) {
  const Manager& manager = entry.manager;
  out += '{';
  add_member("manager", manager.name, out);
  add_member("operation", manager.applies ? kApply : kUpdate, out);
  add_member("apiVersion", manager.api_version, out);
  add_member("time", entry.time, out);
  add_member("fieldsType", "FieldsV1", out);
  out += R"(,"fieldsV1":)";
  out += entry.owned.fields();
  add_member("subresource", manager.subresource, out);
  out += '}';
}

// Times have one format, so they compare as text; an absent time comes first.
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

OwnedFields OwnedFields::stored(std::string_view fields) {
  OwnedFields ownings{std::string()};
  ownings.stored_ = fields;
  ownings.is_own_ = false;
  return ownings;
}

FieldSet OwnedFields::set() const {
  Result<FieldSet> parsed = parse_own_fields_v1(fields());
  return parsed ? *std::move(parsed) : FieldSet();
}

bool OwnedFields::has_any(const FieldSet& set) const { return any_owned(fields(), set); }
bool OwnedFields::has_all(const FieldSet& set) const { return all_owned(fields(), set); }
bool OwnedFields::reaches(const FieldSet& set) const { return any_reached(fields(), set); }

ManagedFields ManagedFields::decode(std::string_view entries) {
  ManagedFields managed;
  for_each_entry(entries, [&](std::string_view entry) {
    managed.entries_.push_back(decode_stored(entry));
    return true;
  });
  return managed;
}

Result<ManagedFields> ManagedFields::decode_foreign(const json::array& entries) {
  ManagedFields managed;
  for (const json::value& value : entries) {
    EBB_ASSIGN_OR_RETURN(ManagedEntry entry, decode_sent(value));
    // If two entries have the same manager, the later one counts.
    if (ManagedEntry* known = managed.find(entry.manager)) {
      *known = std::move(entry);
    } else {
      managed.entries_.push_back(std::move(entry));
    }
  }
  managed.drop_empty();
  return managed;
}

std::string ManagedFields::encode() const {
  std::vector<const ManagedEntry*> sorted;
  sorted.reserve(entries_.size());
  for (const ManagedEntry& entry : entries_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return stands_before(*a, *b); });
  std::string text = "[";
  for (const ManagedEntry* entry : sorted) {
    if (text.size() > 1) text += ',';
    encode_entry(*entry, text);
  }
  return text + "]";
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
    entries_.push_back({.manager = manager, .time = {}, .owned = OwnedFields(FieldSet())});
    entry = &entries_.back();
  }
  entry->manager = manager;
  entry->owned = OwnedFields(owned);
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

  // Only one version of each kind is served, so all of the oldest entries can be merged.
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

bool same_but_for_times(const ManagedFields& a, const ManagedFields& b) {
  const auto is_in_b = [&](const ManagedEntry& entry) {
    const ManagedEntry* other = b.find(entry.manager);
    return other != nullptr && other->manager.api_version == entry.manager.api_version &&
           other->owned.fields() == entry.owned.fields();
  };
  return a.entries().size() == b.entries().size() &&
         std::all_of(a.entries().begin(), a.entries().end(), is_in_b);
}

}  // namespace ebb::apiserver
