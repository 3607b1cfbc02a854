// Walks a document and its schema in parallel. The messages are Kubernetes' own, including the Go
// type names in them, because people search for them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/decode/decode.h"
#include "apiserver/decode/scalar.h"
#include "apiserver/decode/strict_errors.h"
#include "schema/core/field_path.h"
#include "schema/core/json.h"
#include "schema/core/zero_value.h"

namespace ebb::apiserver {

using schema::FieldPath;
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Kind;
using schema::ObjectSchema;
using schema::Type;

// io.k8s.api.core.v1.Container -> v1.Container, or only its last `parts` parts.
std::string_view tail_of(std::string_view name, int parts) {
  std::size_t dot = name.size();
  for (int i = 0; i < parts && dot != std::string_view::npos && dot != 0; ++i) {
    dot = name.rfind('.', dot - 1);
  }
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::string go_type_of_one(const Field& field) {
  if (field.type == Type::kObject) return std::string(tail_of(field.schema->name, 2));
  return std::string(go_type(field.type));
}

std::string go_type_of(const Field& field) {
  if (field.form == Form::kList) return "[]" + go_type_of_one(field);
  if (field.form == Form::kMap) return "map[string]" + go_type_of_one(field);
  return go_type_of_one(field);
}

// The name of the value in messages about types. Go prints the number itself where a number of
// another type is expected.
std::string describe(const json::value& value, std::string_view wanted) {
  const bool number_wanted = wanted.starts_with("int") || wanted.starts_with("float");
  if (!value.is_number() || !number_wanted) return std::string(json_type(value));
  if (!value.is_double()) return "number " + json::serialize(value);
  std::string text = fmt::to_string(value.get_double());
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return "number " + text;
}

class Conformer {
 public:
  // All values are created in the memory of the document, so that moving them copies nothing.
  explicit Conformer(json::storage_ptr storage) : storage_(std::move(storage)) {}

  // Both return false, and set a message, if a value is not valid.
  bool convert_root(const ObjectSchema& schema, json::object& in, json::object& out) {
    return convert_object(schema, in, out, FieldPath{});
  }

  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] std::vector<std::string> take_unknown() { return std::move(unknown_).take(); }

 private:
  // A converted field, to be put into the table's order.
  struct Slot {
    std::size_t order;
    const Field* field;
    json::value value;
  };
  // Finds a field by its JSON name and sets `order` to its position in the table.
  static const Field* locate(const ObjectSchema& schema, std::string_view name,
                             std::size_t& order) {
    for (const Field& field : schema.fields) {
      if (field.is_inlined) {
        if (const Field* member = locate(*field.schema, name, order)) return member;
      } else {
        if (field.name == name) return &field;
        ++order;
      }
    }
    return nullptr;
  }

  bool convert_object(const ObjectSchema& schema, json::object& in, json::object& out,
                      const FieldPath& path) {
    const std::size_t first = slots_.size();
    for (json::key_value_pair& member : in) {
      std::size_t order = 0;
      const Field* field = locate(schema, member.key(), order);
      const FieldPath here{.parent = &path, .name = member.key()};
      if (field == nullptr) {
        if (!unknown_.is_full()) unknown_.add(here.text());
        continue;
      }
      if (member.value().is_null()) continue;
      json::value value(storage_);
      if (!convert_field(schema, *field, member.value(), value, here)) return false;
      if (!field->keeps_zero && is_zero(*field, value)) continue;
      slots_.push_back({order, field, std::move(value)});
    }
    emit(first, out);
    return true;
  }

  // Moves the slots from `first` on into an object, in the table's order.
  void emit(std::size_t first, json::object& out) {
    const auto begin = slots_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto comes_before = [](const Slot& a, const Slot& b) { return a.order < b.order; };
    // A document that a client read from this server is in order already.
    if (!std::is_sorted(begin, slots_.end(), comes_before)) {
      std::sort(begin, slots_.end(), comes_before);
    }
    out.reserve(slots_.size() - first);
    for (auto slot = begin; slot != slots_.end(); ++slot) {
      out.emplace(slot->field->name, std::move(slot->value));
    }
    slots_.erase(begin, slots_.end());
  }

  static bool is_zero(const Field& field, const json::value& value) {
    if (value.is_array()) return field.form == Form::kList && value.get_array().empty();
    if (value.is_object() && field.type != Type::kAny) return value.get_object().empty();
    return field.form == Form::kOne && is_zero_scalar(field.type, value);
  }

  bool convert_field(const ObjectSchema& owner, const Field& field, json::value& in,
                     json::value& out, const FieldPath& path) {
    switch (field.form) {
      case Form::kOne:
        return convert_one(owner, field, in, out, path);
      case Form::kList:
        if (!in.is_array()) return refuse_type(owner, in, go_type_of(field), path);
        return convert_list(owner, field, in.get_array(), out.emplace_array(), path);
      case Form::kMap:
        if (!in.is_object()) return refuse_type(owner, in, go_type_of(field), path);
        return convert_map(owner, field, in.get_object(), out.emplace_object(), path);
    }
    return false;
  }

  bool convert_list(const ObjectSchema& owner, const Field& field, json::array& in,
                    json::array& out, const FieldPath& path) {
    out.reserve(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const FieldPath here{.parent = &path, .index = i};
      if (!convert_one(owner, field, in[i], out.emplace_back(nullptr), here)) return false;
    }
    return true;
  }

  bool convert_map(const ObjectSchema& owner, const Field& field, json::object& in,
                   json::object& out, const FieldPath& path) {
    out.reserve(in.size());
    for (json::key_value_pair& member : in) {
      const FieldPath here{.parent = &path, .name = member.key(), .is_map_key = true};
      json::value& place = out[member.key()];
      if (!convert_one(owner, field, member.value(), place, here)) return false;
    }
    return true;
  }

  bool convert_one(const ObjectSchema& owner, const Field& field, json::value& in, json::value& out,
                   const FieldPath& path) {
    if (in.is_null()) {
      out = schema::zero_value(field.type);
      return true;
    }
    if (field.type == Type::kObject) {
      if (!in.is_object()) return refuse_type(owner, in, go_type_of_one(field), path);
      return convert_object(*field.schema, in.get_object(), out.emplace_object(), path);
    }
    const auto problem = conform_scalar(field.type, in, out);
    if (!problem) return true;
    if (!problem->expected_type.empty())
      return refuse_type(owner, in, problem->expected_type, path);
    message_ = fmt::format("{}: {}", path.text(), problem->text);
    return false;
  }

  bool refuse_type(const ObjectSchema& owner, const json::value& in, std::string_view wanted,
                   const FieldPath& path) {
    message_ =
        fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                    describe(in, wanted), tail_of(owner.name, 1), path.fields_only(), wanted);
    return false;
  }

  json::storage_ptr storage_;
  std::vector<Slot> slots_;  // slots of all open objects, the innermost last
  StrictErrors unknown_;
  std::string message_;
};

model::Status unrecognised(const Kind& kind, std::string_view why) {
  return model::bad_request(
      fmt::format("the object provided is unrecognized (must be of type {}): couldn't get "
                  "version/kind; json parse error: {}",
                  kind.name, why));
}

// The text of kind or apiVersion; empty if it is absent.
model::StatusOr<std::string> type_text(const Kind& kind, const json::object& object,
                                       std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return std::string();
  if (value->is_string()) return std::string(value->get_string());
  return tl::unexpected(unrecognised(
      kind, fmt::format("json: cannot unmarshal {} into Go struct field .{} of type string",
                        json_type(*value), name)));
}

// Keeps an empty managedFields list: like one empty entry, it asks to reset ownership. Other empty
// lists have no meaning and are dropped.
void keep_reset_of_entries(json::object& object) {
  json::object* metadata = schema::object_at(object, {"metadata"});
  json::array* entries =
      metadata == nullptr ? nullptr : schema::array_at(*metadata, {"managedFields"});
  if (entries != nullptr && entries->empty()) entries->emplace_back(json::object());
}

// Fills in kind and apiVersion; refuses an object of another kind.
model::StatusOr<void> settle_kind(const Kind& kind, json::object& object) {
  EBB_ASSIGN_OR_RETURN(auto name, type_text(kind, object, "kind"));
  EBB_ASSIGN_OR_RETURN(auto version, type_text(kind, object, "apiVersion"));

  const std::string expected = kind.api_version();
  if (!version.empty() && version != expected) {
    return tl::unexpected(model::bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    version, expected)));
  }
  if (!name.empty() && name != kind.name) {
    return tl::unexpected(model::bad_request(
        fmt::format("{} in version \"{}\" cannot be handled as a {}: converting ({}.{}) to "
                    "({}.{}): unknown conversion",
                    name, kind.version, kind.name, kind.version, name,
                    kind.group.empty() ? "core" : kind.group, kind.name)));
  }
  object["kind"] = kind.name;
  object["apiVersion"] = expected;
  if (const json::value* metadata = object.if_contains("metadata");
      metadata == nullptr || metadata->is_null()) {
    object["metadata"].emplace_object();
  }
  keep_reset_of_entries(object);
  return {};
}

std::vector<std::string> strict_messages(const std::vector<std::string>& unknown,
                                         const std::vector<std::string>& duplicates) {
  std::vector<std::string> messages;
  messages.reserve(unknown.size() + duplicates.size());
  for (const std::string& path : unknown) {
    messages.push_back("unknown field " + json::serialize(json::string(path)));
  }
  for (const std::string& path : duplicates) {
    messages.push_back("duplicate field " + json::serialize(json::string(path)));
  }
  return messages;
}

}  // namespace

model::StatusOr<Decoded> conform(const Kind& kind, ParsedJson parsed, FieldValidation validation) {
  json::object* in = parsed.value.if_object();
  if (in == nullptr) {
    return tl::unexpected(
        unrecognised(kind, fmt::format("json: cannot unmarshal {} into Go value of type struct",
                                       json_type(parsed.value))));
  }
  EBB_RETURN_IF_ERROR(settle_kind(kind, *in));
  const auto refuse = [&](std::string_view why) {
    return tl::unexpected(
        model::bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                       kind.name, kind.version, kind.name, why)));
  };
  Decoded decoded{.object = json::object(in->storage()), .warnings = {}};
  Conformer conformer(in->storage());
  if (!conformer.convert_root(*kind.schema, *in, decoded.object)) {
    return refuse(conformer.message());
  }
  if (validation == FieldValidation::kIgnore) return decoded;
  decoded.warnings = strict_messages(conformer.take_unknown(), parsed.duplicates);
  if (validation == FieldValidation::kStrict && !decoded.warnings.empty()) {
    return refuse(fmt::format("strict decoding error: {}", fmt::join(decoded.warnings, ", ")));
  }
  return decoded;
}

}  // namespace ebb::apiserver
