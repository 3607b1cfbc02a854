// Walks a document and the schema side by side. Messages are Kubernetes' own, down to the
// Go types that they mention: people search for them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/decode.h"
#include "apiserver/scalar.h"
#include "apiserver/strict_errors.h"
#include "schema/field_path.h"
#include "schema/json.h"

namespace ebb::apiserver {

using schema::FieldPath;
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::Kind;
using schema::Shape;
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
  if (field.type == Type::kObject) return std::string(tail_of(field.shape->name, 2));
  return std::string(go_type(field.type));
}

std::string go_type_of(const Field& field) {
  if (field.form == Form::kList) return "[]" + go_type_of_one(field);
  if (field.form == Form::kMap) return "map[string]" + go_type_of_one(field);
  return go_type_of_one(field);
}

// What a message about types calls the value. Go spells a number out where another number
// would have been right.
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
  // Everything is made in the memory of the document, so that moving from it copies nothing.
  explicit Conformer(json::storage_ptr storage) : storage_(std::move(storage)) {}

  // Both return false, and leave a message, if a value cannot be taken.
  bool convert_root(const Shape& shape, json::object& in, json::object& out) {
    return convert_object(shape, in, out, FieldPath{});
  }

  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] std::vector<std::string> take_unknown() { return std::move(unknown_).take(); }

 private:
  // A converted field that waits for its place in the order of the table.
  struct Slot {
    std::size_t order;
    const Field* field;
    json::value value;
  };
  // The field of a name, as JSON knows it; `order` then says where it stands in the table.
  static const Field* locate(const Shape& shape, std::string_view name, std::size_t& order) {
    for (const Field& field : shape.fields) {
      if (field.is_inlined) {
        if (const Field* member = locate(*field.shape, name, order)) return member;
      } else {
        if (field.name == name) return &field;
        ++order;
      }
    }
    return nullptr;
  }

  bool convert_object(const Shape& shape, json::object& in, json::object& out,
                      const FieldPath& path) {
    const std::size_t first = slots_.size();
    for (json::key_value_pair& member : in) {
      std::size_t order = 0;
      const Field* field = locate(shape, member.key(), order);
      const FieldPath here{.parent = &path, .name = member.key()};
      if (field == nullptr) {
        if (!unknown_.is_full()) unknown_.add(here.text());
        continue;
      }
      if (member.value().is_null()) continue;
      json::value value(storage_);
      if (!convert_field(shape, *field, member.value(), value, here)) return false;
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
    // What comes back from a client that read it here is in order already.
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

  bool convert_field(const Shape& owner, const Field& field, json::value& in, json::value& out,
                     const FieldPath& path) {
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

  bool convert_list(const Shape& owner, const Field& field, json::array& in, json::array& out,
                    const FieldPath& path) {
    out.reserve(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const FieldPath here{.parent = &path, .index = i};
      if (!convert_one(owner, field, in[i], out.emplace_back(nullptr), here)) return false;
    }
    return true;
  }

  bool convert_map(const Shape& owner, const Field& field, json::object& in, json::object& out,
                   const FieldPath& path) {
    out.reserve(in.size());
    for (json::key_value_pair& member : in) {
      const FieldPath here{.parent = &path, .name = member.key(), .is_map_key = true};
      json::value& place = out[member.key()];
      if (!convert_one(owner, field, member.value(), place, here)) return false;
    }
    return true;
  }

  bool convert_one(const Shape& owner, const Field& field, json::value& in, json::value& out,
                   const FieldPath& path) {
    if (in.is_null()) {
      out = zero_of(field.type);
      return true;
    }
    if (field.type == Type::kObject) {
      if (!in.is_object()) return refuse_type(owner, in, go_type_of_one(field), path);
      return convert_object(*field.shape, in.get_object(), out.emplace_object(), path);
    }
    const auto problem = conform_scalar(field.type, in, out);
    if (!problem) return true;
    if (!problem->expected_type.empty())
      return refuse_type(owner, in, problem->expected_type, path);
    message_ = fmt::format("{}: {}", path.text(), problem->text);
    return false;
  }

  bool refuse_type(const Shape& owner, const json::value& in, std::string_view wanted,
                   const FieldPath& path) {
    message_ =
        fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}",
                    describe(in, wanted), tail_of(owner.name, 1), path.fields_only(), wanted);
    return false;
  }

  json::storage_ptr storage_;
  std::vector<Slot> slots_;  // of all objects that are being converted, the innermost last
  StrictErrors unknown_;
  std::string message_;
};

model::Status unrecognised(const Kind& kind, std::string_view why) {
  return model::bad_request(
      fmt::format("the object provided is unrecognized (must be of type {}): couldn't get "
                  "version/kind; json parse error: {}",
                  kind.name, why));
}

// The text of a field that says what the object is; empty if it is absent.
model::StatusOr<std::string> type_text(const Kind& kind, const json::object& object,
                                       std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return std::string();
  if (value->is_string()) return std::string(value->get_string());
  return tl::unexpected(unrecognised(
      kind, fmt::format("json: cannot unmarshal {} into Go struct field .{} of type string",
                        json_type(*value), name)));
}

// An empty list of managedFields asks to forget who owns what, as one with an empty entry does.
// Other empty lists mean nothing and are dropped.
void keep_reset_of_entries(json::object& object) {
  json::object* metadata = schema::object_at(object, {"metadata"});
  json::array* entries =
      metadata == nullptr ? nullptr : schema::array_at(*metadata, {"managedFields"});
  if (entries != nullptr && entries->empty()) entries->emplace_back(json::object());
}

// Fills in kind and apiVersion; what claims to be of another kind is refused.
model::StatusOr<void> settle_kind(const Kind& kind, json::object& object) {
  auto name = type_text(kind, object, "kind");
  if (!name) return tl::unexpected(std::move(name.error()));
  auto version = type_text(kind, object, "apiVersion");
  if (!version) return tl::unexpected(std::move(version.error()));

  const std::string expected = kind.api_version();
  if (!version->empty() && *version != expected) {
    return tl::unexpected(model::bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    *version, expected)));
  }
  if (!name->empty() && *name != kind.name) {
    return tl::unexpected(model::bad_request(
        fmt::format("{} in version \"{}\" cannot be handled as a {}: converting ({}.{}) to "
                    "({}.{}): unknown conversion",
                    *name, kind.version, kind.name, kind.version, *name,
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
  if (auto settled = settle_kind(kind, *in); !settled) {
    return tl::unexpected(std::move(settled.error()));
  }
  const auto refuse = [&](std::string_view why) {
    return tl::unexpected(
        model::bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}",
                                       kind.name, kind.version, kind.name, why)));
  };
  Decoded decoded{.object = json::object(in->storage()), .warnings = {}};
  Conformer conformer(in->storage());
  if (!conformer.convert_root(*kind.shape, *in, decoded.object)) {
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
