// The language of the schema table: the fields of Kubernetes objects.
//
// An ObjectSchema is a structure (PodSpec, Container), and a Field is one line of it. All code that
// depends on the structure of objects reads these lines: the decoder (types, unknown fields),
// defaults, validation, strategic merge patch, server-side apply, OpenAPI, and the protobuf codec.
// To add a field, add a line.
//
// Some structures are separate messages in protobuf while JSON has their members in the parent (the
// sources of a volume, the handler of a probe). Such a field is `inlined`: it has a number and a
// schema, and JSON does not contain its name. Code that handles JSON uses `ObjectSchema::find` and
// `for_each_field`, which resolve inlined fields; only the protobuf codec reads
// `ObjectSchema::fields`.
//
// Defaults are applied in this order: the defaults of the object's fields, the computed defaults,
// the same inside each field that is now present, then `ObjectSchema::complete`.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <boost/json/object.hpp>

namespace ebb::schema {

enum class Type : std::uint8_t {
  kBool,
  kInt32,
  kInt64,
  kDouble,
  kString,
  kBytes,        // base64 in JSON
  kTime,         // RFC 3339, whole seconds
  kMicroTime,    // RFC 3339 with six digits of fraction
  kQuantity,     // 500m, 2Gi
  kIntOrString,  // 8080, "http", "25%"
  kObject,       // an ObjectSchema
  kAny,          // any JSON, kept unchanged
};

// Whether a field holds one value, a list or a map. The keys of a map are strings.
enum class Form : std::uint8_t { kOne, kList, kMap };

// The format of a text; apiserver/validation/validate.cc has the rules and their messages.
enum class Format : std::uint8_t {
  kNone,
  kDnsLabel,       // web-1
  kDnsSubdomain,   // web.example.com
  kQualifiedName,  // example.com/role
  kApiVersion,     // apps/v1
  kKind,           // ReplicaSet
  kLabelValue,
  kPort,  // 1..65535
};

inline constexpr std::int64_t kHighestInt32 = std::numeric_limits<std::int32_t>::max();

// How server-side apply merges a list: entries by their keys, values of a set, or as a whole.
enum class ListKind : std::uint8_t { kMap, kSet, kAtomic };

struct ObjectSchema;

// Sets a default that depends on other fields of the parent structure. Called after the plain
// defaults of the parent, and only if the field is absent.
using ComputedDefault = void (*)(boost::json::object& parent);

struct Field {
  std::uint16_t number = 0;  // in protobuf; 0: not there (kind and apiVersion)
  std::string_view name{};   // in JSON
  Type type = Type::kString;
  Form form = Form::kOne;
  const ObjectSchema* schema = nullptr;  // of kObject

  // Zero (0, "", false, {}) differs from absent, so it is stored. Otherwise zero values and empty
  // objects, lists and maps are dropped on the way in, as in Kubernetes.
  bool keeps_zero = false;
  // Present in every object of the structure.
  bool is_always = false;
  // Kubernetes writes null if the field is absent: mostly times. ebb omits it, but the manager that
  // adds the structure owns the field.
  bool is_null_if_absent = false;
  bool is_inlined = false;
  // Refused if absent, which includes a zero value that is not kept.
  bool is_required = false;
  // How a strategic merge patch treats a list: it matches entries by this key, or unites lists of
  // plain values. If neither is set, the list is replaced.
  std::string_view merge_key{};
  bool unites = false;
  bool retains_keys = false;  // patchStrategy retainKeys
  // How server-side apply treats a list or map, if that does not follow from the above: it matches
  // entries by these keys (separated by spaces), unites plain values, or gives the whole one owner.
  std::string_view apply_keys{};
  bool applies_as_set = false;
  bool applies_whole = false;

  std::string_view default_json{};  // the default as JSON text
  ComputedDefault computed_default = nullptr;

  std::string_view choices{};  // allowed values, separated by spaces
  std::int64_t minimum = std::numeric_limits<std::int64_t>::min();
  std::int64_t maximum = std::numeric_limits<std::int64_t>::max();
  Format format = Format::kNone;

  template <class T>
  [[nodiscard]] constexpr Field with(T Field::*member, T value) const {
    Field copy = *this;
    copy.*member = value;
    return copy;
  }

  // The modifiers of the table: each returns a changed copy.
  [[nodiscard]] constexpr Field optional_zero() const { return with(&Field::keeps_zero, true); }
  // Stored even when zero or not given: replicas of a status, resources of a container.
  [[nodiscard]] constexpr Field always() const {
    return optional_zero().by_default(zero_json()).with(&Field::is_always, true);
  }
  [[nodiscard]] constexpr Field null_if_absent() const {
    return with(&Field::is_null_if_absent, true);
  }
  [[nodiscard]] constexpr Field inlined() const { return with(&Field::is_inlined, true); }
  [[nodiscard]] constexpr Field required() const { return with(&Field::is_required, true); }
  [[nodiscard]] constexpr Field merged_by(std::string_view key) const {
    return with(&Field::merge_key, key);
  }
  [[nodiscard]] constexpr Field united() const { return with(&Field::unites, true); }
  [[nodiscard]] constexpr Field retaining_keys() const { return with(&Field::retains_keys, true); }
  [[nodiscard]] constexpr Field applied_by(std::string_view keys) const {
    return with(&Field::apply_keys, keys);
  }
  [[nodiscard]] constexpr Field applied_as_set() const {
    return with(&Field::applies_as_set, true);
  }
  [[nodiscard]] constexpr Field applied_whole() const { return with(&Field::applies_whole, true); }
  [[nodiscard]] constexpr Field by_default(std::string_view json) const {
    return with(&Field::default_json, json);
  }
  [[nodiscard]] constexpr Field by_default(ComputedDefault compute) const {
    return with(&Field::computed_default, compute);
  }
  [[nodiscard]] constexpr Field one_of(std::string_view values) const {
    return with(&Field::choices, values);
  }
  [[nodiscard]] constexpr Field at_least(std::int64_t low) const {
    return with(&Field::minimum, low);
  }
  [[nodiscard]] constexpr Field at_most(std::int64_t high) const {
    return with(&Field::maximum, high);
  }
  [[nodiscard]] constexpr Field formatted(Format wanted) const {
    return with(&Field::format, wanted);
  }

  // For lists: the behaviour of server-side apply, and the keys of ListKind::kMap.
  [[nodiscard]] constexpr std::string_view list_keys() const {
    return apply_keys.empty() ? merge_key : apply_keys;
  }
  [[nodiscard]] constexpr ListKind list_kind() const {
    if (applies_whole) return ListKind::kAtomic;
    if (!list_keys().empty()) return ListKind::kMap;
    return unites || applies_as_set ? ListKind::kSet : ListKind::kAtomic;
  }

  // The zero value of the type; `always` supports these types only.
  [[nodiscard]] constexpr std::string_view zero_json() const {
    switch (type) {
      case Type::kBool:
        return "false";
      case Type::kInt32:
      case Type::kInt64:
        return "0";
      case Type::kQuantity:
        return R"("0")";
      case Type::kObject:
        return "{}";
      default:
        return R"("")";
    }
  }
};

struct ObjectSchema {
  std::string_view name{};  // as in Kubernetes' OpenAPI: io.k8s.api.core.v1.Container
  std::span<const Field> fields{};
  // Finishes an object that has all other defaults. Also for rules of one kind that do not apply to
  // its parts elsewhere: a Pod gets requests from its limits, a pod template does not.
  void (*complete)(boost::json::object& object) = nullptr;
  // Has one owner in server-side apply: references, selectors. See `owned_whole`.
  bool applies_whole = false;

  // Finds a field by its JSON name, including members of inlined fields; nullptr if there is none.
  [[nodiscard]] const Field* find(std::string_view field_name) const;
};

// A structure that server-side apply treats as a whole, never field by field.
constexpr ObjectSchema owned_whole(std::string_view name, std::span<const Field> fields) {
  return {.name = name, .fields = fields, .complete = nullptr, .applies_whole = true};
}

// Calls visit(const Field&) for each JSON field, in the table's order: the members of an inlined
// field take its place.
template <class Visitor>
constexpr void for_each_field(const ObjectSchema& schema, Visitor&& visit) {
  for (const Field& each : schema.fields) {
    if (each.is_inlined) {
      for_each_field(*each.schema, visit);
    } else {
      visit(each);
    }
  }
}

// One value, a list, a map from strings.
constexpr Field field(std::uint16_t number, std::string_view name, Type type) {
  return {.number = number, .name = name, .type = type};
}
constexpr Field field(std::uint16_t number, std::string_view name, const ObjectSchema& schema) {
  return {.number = number, .name = name, .type = Type::kObject, .schema = &schema};
}
constexpr Field list(std::uint16_t number, std::string_view name, Type type) {
  return {.number = number, .name = name, .type = type, .form = Form::kList};
}
constexpr Field list(std::uint16_t number, std::string_view name, const ObjectSchema& schema) {
  return {.number = number,
          .name = name,
          .type = Type::kObject,
          .form = Form::kList,
          .schema = &schema};
}
constexpr Field map(std::uint16_t number, std::string_view name, Type type) {
  return {.number = number, .name = name, .type = type, .form = Form::kMap};
}
constexpr Field map(std::uint16_t number, std::string_view name, const ObjectSchema& schema) {
  return {
      .number = number, .name = name, .type = Type::kObject, .form = Form::kMap, .schema = &schema};
}

}  // namespace ebb::schema
