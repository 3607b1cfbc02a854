// The fields that an applied configuration claims, and the checks of the configuration.
#include <string>
#include <unordered_set>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/managedfields/field_structure.h"
#include "apiserver/managedfields/field_walks.h"

namespace ebb::apiserver {

namespace json = boost::json;
using schema::Form;
using schema::Type;

namespace {

// Collects the places of a document. A structure's field counts by its contents, unless it is
// empty; keys of a map and entries of a list count themselves.
class Claims {
 public:
  void claim_members(const Structure& structure, const json::object& object, const StepPath& path) {
    for (const json::key_value_pair* member : members_in_order(object)) {
      const auto below = structure.below(member->key());
      if (!below) continue;
      const StepPath here{.parent = &path, .field = member->key()};
      claim(*below, member->value(), here);
      const json::object* map = member->value().if_object();
      if (member->value().is_null() || (map != nullptr && map->empty()) ||
          !structure.has_named_fields()) {
        set_.insert(here);
      }
    }
  }

  FieldSet take() { return std::move(set_); }

 private:
  void claim(const Structure& structure, const json::value& value, const StepPath& path) {
    switch (structure.ownership(&value)) {
      case Ownership::kWhole:
        set_.insert(path);
        return;
      case Ownership::kFields:
      case Ownership::kKeys:
        if (const json::object* object = value.if_object()) claim_members(structure, *object, path);
        return;
      case Ownership::kEntries:
      case Ownership::kValues:
        if (const json::array* list = value.if_array()) claim_entries(structure, *list, path);
        return;
    }
  }

  void claim_entries(const Structure& structure, const json::array& list, const StepPath& path) {
    const std::vector<EntryStep> entries = entries_in_order(structure, list);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto is_same_as = [&](std::size_t other) {
        return other < entries.size() && entries[other].step == entries[i].step;
      };
      const StepPath here{.parent = &path, .entry = entries[i].step};
      set_.insert(here);
      // Entries with the same step are one place.
      const bool is_repeated = is_same_as(i + 1) || (i > 0 && is_same_as(i - 1));
      if (!is_repeated) claim(structure.entry(), *entries[i].value, here);
    }
  }

  FieldSet set_;
};

std::string go_value(const json::value& value);

std::string go_values(const json::array& list) {
  std::string text = "[";
  for (const json::value& entry : list) {
    if (text.size() > 1) text += ' ';
    text += go_value(entry);
  }
  return text + "]";
}

// Prints a value as Go's %v does.
std::string go_value(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (const json::array* list = value.if_array()) return go_values(*list);
  if (const json::object* object = value.if_object()) {
    std::string text = "map[";
    for (const json::key_value_pair& member : *object) {
      if (text.size() > 4) text += ' ';
      text += fmt::format("{}:{}", std::string_view(member.key()), go_value(member.value()));
    }
    return text + "]";
  }
  return json::serialize(value);
}

std::string_view go_name(const json::value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_array()) return "[]interface {}";
  return value.is_object() ? "map[string]interface {}" : "nil";
}

class Checker {
 public:
  bool check(const Structure& structure, const json::value& value, const StepPath& path) {
    if (value.is_null()) return true;
    if (structure.form() == Form::kList) return check_list(structure, value, path);
    if (structure.form() == Form::kMap || structure.type() == Type::kObject) {
      if (!value.is_object()) return refuse_kind("map", value, path);
      return check_members(structure, value.get_object(), path);
    }
    return check_scalar(structure.type(), value, path);
  }

  bool check_members(const Structure& structure, const json::object& object, const StepPath& path) {
    for (const json::key_value_pair& member : object) {
      const StepPath here{.parent = &path, .field = member.key()};
      const auto below = structure.below(member.key());
      if (!below) return refuse("field not declared in schema", here);
      if (!check(*below, member.value(), here)) return false;
    }
    return true;
  }

  [[nodiscard]] const std::string& message() const { return message_; }

 private:
  bool check_list(const Structure& structure, const json::value& value, const StepPath& path) {
    if (!value.is_array()) return refuse_kind("list", value, path);
    const json::array& list = value.get_array();
    const Ownership ownership = structure.ownership(&value);
    const bool has_parts = ownership != Ownership::kWhole;
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto step = has_parts ? structure.step(list[i]) : fmt::format("i:{}", i);
      if (!step) {
        return refuse(
            fmt::format("element {}: associative list with keys may not have non-map elements", i),
            path);
      }
      if (!seen.insert(*step).second) {
        const std::string which = path_texts(FieldSet({{*step}})).front();
        return refuse("duplicate entries for key " + which, path);
      }
      if (!check(structure.entry(), list[i], {.parent = &path, .entry = *step})) return false;
    }
    return true;
  }

  bool check_scalar(Type type, const json::value& value, const StepPath& path) {
    switch (type) {
      case Type::kBool:
        return value.is_bool() || refuse_kind("boolean", value, path);
      case Type::kInt32:
      case Type::kInt64:
      case Type::kDouble:
        return value.is_number() ||
               refuse(fmt::format("expected numeric (int or float), got {}", go_name(value)), path);
      case Type::kString:
      case Type::kBytes:
      case Type::kTime:
      case Type::kMicroTime:
        return value.is_string() ||
               refuse(fmt::format("expected string, got &value.valueUnstructured{{Value:{}}}",
                                  go_value(value)),
                      path);
      case Type::kQuantity:
      case Type::kIntOrString:
        return !(value.is_object() || value.is_array()) || refuse_kind("scalar", value, path);
      case Type::kObject:
      case Type::kAny:
        return true;
    }
    return true;
  }

  bool refuse_kind(std::string_view wanted, const json::value& value, const StepPath& path) {
    return refuse(fmt::format("expected {}, got &{{{}}}", wanted, go_value(value)), path);
  }

  bool refuse(std::string_view why, const StepPath& path) {
    FieldSet place;
    place.insert(path);
    const std::vector<std::string> texts = path_texts(place);
    message_ = fmt::format("{}: {}", texts.empty() ? "" : texts.front(), why);
    return false;
  }

  std::string message_;
};

}  // namespace

FieldSet fields_of(const schema::ObjectSchema& schema, const json::object& document) {
  Claims claims;
  claims.claim_members(Structure(schema), document, StepPath{});
  return claims.take();
}

Result<void> check_applied(const schema::ObjectSchema& schema, const json::object& configuration) {
  Checker checker;
  if (checker.check_members(Structure(schema), configuration, StepPath{})) return {};
  return fail(ErrorCode::kInvalidInput, checker.message());
}

}  // namespace ebb::apiserver
