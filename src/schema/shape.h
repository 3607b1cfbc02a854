// The language of the schema table: what fields a Kubernetes object has.
//
// A Shape is a structure (PodSpec, Container) and a Field one line of it. Everything that
// needs to know the structure of objects reads these lines: the decoder (types, unknown
// fields), defaults, validation, the strategic merge patch, server-side apply, OpenAPI, and the
// protobuf codec.
// Adding a field is adding a line.
//
// Some structures are messages of their own in protobuf while their members stand in the
// parent in JSON (the sources of a volume, the handler of a probe). Such a field is
// `inlined`: it has a number and a shape, and its name is unknown to JSON. Whoever deals with
// JSON asks `Shape::find` and `for_each_field`, which see through it; only protobuf looks at
// `Shape::fields` itself.
//
// An object gets its defaults in this order: the defaults of its fields, then the computed
// ones, then the same inside each field that is present by now, then `Shape::complete`.
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
  kObject,       // a Shape
  kAny,          // whatever JSON there is, kept as it is
};

// How often a field holds its type. The keys of a map are strings.
enum class Form : std::uint8_t { kOne, kList, kMap };

// What a text has to look like; apiserver/validate.cc has the rules and their messages.
enum class Format : std::uint8_t {
  kNone,
  kDnsLabel,       // web-1
  kDnsSubdomain,   // web.example.com
  kQualifiedName,  // example.com/role
  kLabelValue,
  kPort,  // 1..65535
};

inline constexpr std::int64_t kHighestInt32 = std::numeric_limits<std::int32_t>::max();

// How server-side apply takes a list: entries by their keys, values of a set, or the whole.
enum class ListKind : std::uint8_t { kMap, kSet, kAtomic };

struct Shape;

// Fills in what depends on other fields of the structure the field is in. Called after
// the plain defaults of that structure, and only where the field is absent.
using ComputedDefault = void (*)(boost::json::object& parent);

struct Field {
  std::uint16_t number = 0;  // in protobuf; 0: not there (kind and apiVersion)
  std::string_view name{};   // in JSON
  Type type = Type::kString;
  Form form = Form::kOne;
  const Shape* shape = nullptr;  // of kObject

  // Zero (0, "", false, {}) differs from absent, so it is stored. Without this, zero values
  // and empty objects, lists and maps are dropped on the way in, as Kubernetes does.
  bool keeps_zero = false;
  // There in every object of the structure, whoever made it.
  bool is_always = false;
  // Kubernetes says null where it is absent: times, mostly. We leave it out, but who adds the
  // structure owns this field with it.
  bool is_null_if_absent = false;
  bool is_inlined = false;
  // Refused when absent, which includes a zero value that is not kept.
  bool is_required = false;
  // How a strategic merge patch treats a list: entries are matched by this key; or, for
  // lists of plain values, united. Neither: the list is replaced as a whole.
  std::string_view merge_key{};
  bool unites = false;
  bool retains_keys = false;  // patchStrategy retainKeys
  // How server-side apply treats a list or map, where that is not what follows from the above:
  // entries are matched by these keys (separated by spaces), plain values united, or the whole
  // has one owner.
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

  // The words of the table: each returns a changed copy.
  [[nodiscard]] constexpr Field optional_zero() const { return with(&Field::keeps_zero, true); }
  // Stored even when zero, and when nobody gave it: replicas of a status, resources of a
  // container.
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

  // For lists: what server-side apply does, and the keys of ListKind::kMap.
  [[nodiscard]] constexpr std::string_view list_keys() const {
    return apply_keys.empty() ? merge_key : apply_keys;
  }
  [[nodiscard]] constexpr ListKind list_kind() const {
    if (applies_whole) return ListKind::kAtomic;
    if (!list_keys().empty()) return ListKind::kMap;
    return unites || applies_as_set ? ListKind::kSet : ListKind::kAtomic;
  }

  // The zero value of the type; `always` is for these types only.
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

struct Shape {
  std::string_view name{};  // as Kubernetes' OpenAPI calls it: io.k8s.api.core.v1.Container
  std::span<const Field> fields{};
  // Finishes an object that has all other defaults. Also for rules that hold for one kind and
  // not wherever its parts are used: a Pod gets requests from its limits, a pod template
  // does not.
  void (*complete)(boost::json::object& object) = nullptr;
  // Has one owner in server-side apply: references, selectors. See `owned_whole`.
  bool applies_whole = false;

  // A field as JSON knows it, so also a member of an inlined one; nullptr if there is none.
  [[nodiscard]] const Field* find(std::string_view field_name) const;
};

// A structure that server-side apply takes as a whole, never field by field.
constexpr Shape owned_whole(std::string_view name, std::span<const Field> fields) {
  return {.name = name, .fields = fields, .complete = nullptr, .applies_whole = true};
}

// Calls visit(const Field&) for each field as JSON knows it, in the table's order: the
// members of an inlined field in place of the field itself.
template <class Visitor>
constexpr void for_each_field(const Shape& shape, Visitor&& visit) {
  for (const Field& each : shape.fields) {
    if (each.is_inlined) {
      for_each_field(*each.shape, visit);
    } else {
      visit(each);
    }
  }
}

// One value, a list, a map from strings.
constexpr Field field(std::uint16_t number, std::string_view name, Type type) {
  return {.number = number, .name = name, .type = type};
}
constexpr Field field(std::uint16_t number, std::string_view name, const Shape& shape) {
  return {.number = number, .name = name, .type = Type::kObject, .shape = &shape};
}
constexpr Field list(std::uint16_t number, std::string_view name, Type type) {
  return {.number = number, .name = name, .type = type, .form = Form::kList};
}
constexpr Field list(std::uint16_t number, std::string_view name, const Shape& shape) {
  return {
      .number = number, .name = name, .type = Type::kObject, .form = Form::kList, .shape = &shape};
}
constexpr Field map(std::uint16_t number, std::string_view name, Type type) {
  return {.number = number, .name = name, .type = type, .form = Form::kMap};
}
constexpr Field map(std::uint16_t number, std::string_view name, const Shape& shape) {
  return {
      .number = number, .name = name, .type = Type::kObject, .form = Form::kMap, .shape = &shape};
}

}  // namespace ebb::schema
