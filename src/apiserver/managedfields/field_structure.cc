#include "apiserver/managedfields/field_structure.h"

#include <algorithm>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/managedfields/field_set.h"

namespace ebb::apiserver {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::ListKind;
using schema::Type;

namespace {

// The value of a key that an entry omits.
std::string default_key(const Field& field) {
  if (!field.default_json.empty()) return std::string(field.default_json);
  return std::string(field.zero_json());
}

void add_key(const Field& field, const json::object& entry, std::string& out) {
  out += json::serialize(json::value(field.name));
  out += ':';
  const json::value* value = entry.if_contains(field.name);
  out += value == nullptr ? default_key(field) : json::serialize(*value);
}

}  // namespace

Ownership Structure::ownership(const json::value* a, const json::value* b) const {
  const bool whole = field_ != nullptr && field_->applies_whole;
  switch (form_) {
    case Form::kMap:
      return whole ? Ownership::kWhole : Ownership::kKeys;
    case Form::kList:
      switch (field_->list_kind()) {
        case ListKind::kMap:
          return Ownership::kEntries;
        case ListKind::kSet:
          return Ownership::kValues;
        case ListKind::kAtomic:
          return Ownership::kWhole;
      }
      return Ownership::kWhole;
    case Form::kOne:
      break;
  }
  if (type() == Type::kObject)
    return schema_->applies_whole ? Ownership::kWhole : Ownership::kFields;
  if (type() != Type::kAny) return Ownership::kWhole;
  const auto is_map = [](const json::value* value) {
    return value == nullptr || value->is_object();
  };
  return is_map(a) && is_map(b) ? Ownership::kKeys : Ownership::kWhole;
}

bool Structure::has_named_fields() const { return form_ == Form::kOne && type() == Type::kObject; }

std::optional<Structure> Structure::below(std::string_view name) const {
  // Everything below a value of any type has any type, too.
  if (!has_named_fields()) return entry();
  const Field* field = schema_->find(name);
  if (field == nullptr) return std::nullopt;
  return Structure(*field);
}

std::vector<std::string_view> Structure::null_fields() const {
  std::vector<std::string_view> names;
  if (!has_named_fields()) return names;
  schema::for_each_field(*schema_, [&](const Field& field) {
    if (field.is_null_if_absent) names.push_back(field.name);
  });
  return names;
}

Structure Structure::entry() const { return with_form(Form::kOne); }

std::optional<std::string> Structure::step(const json::value& entry) const {
  if (field_->list_kind() == ListKind::kSet) return "v:" + json::serialize(entry);
  const json::object* object = entry.if_object();
  if (object == nullptr) return std::nullopt;
  std::string text = "k:{";
  std::string_view keys = field_->list_keys();
  while (!keys.empty()) {
    const std::size_t end = keys.find(' ');
    if (text.size() > 3) text += ',';
    add_key(*schema_->find(keys.substr(0, end)), *object, text);
    keys = end == std::string_view::npos ? std::string_view() : keys.substr(end + 1);
  }
  return text + "}";
}

std::vector<const json::key_value_pair*> members_in_order(const json::object& object) {
  constexpr std::size_t kFew = 16;
  std::vector<const json::key_value_pair*> members;
  members.reserve(object.size());
  for (const json::key_value_pair& member : object) members.push_back(&member);
  if (members.size() > kFew) {
    std::sort(members.begin(), members.end(),
              [](const auto* a, const auto* b) { return a->key() < b->key(); });
  }
  return members;
}

std::vector<EntryStep> entries_in_order(const Structure& structure, const json::array& list) {
  std::vector<EntryStep> entries;
  entries.reserve(list.size());
  for (const json::value& entry : list) {
    if (auto step = structure.step(entry)) entries.push_back({*std::move(step), &entry});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const EntryStep& a, const EntryStep& b) {
    return comes_before(a.step, b.step);
  });
  return entries;
}

}  // namespace ebb::apiserver
