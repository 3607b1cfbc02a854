// How ownership of fields follows the structure of objects, read from the table of shapes.
//
// Server-side apply asks of every place whether it has one owner as a whole, or an owner for each
// field, key, entry or value below it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "schema/shape.h"

namespace ebb::apiserver {

enum class Ownership {
  kWhole,    // scalars, atomic lists, maps and structures
  kFields,   // a structure
  kKeys,     // a map
  kEntries,  // a list whose entries are told apart by keys
  kValues,   // a list of plain values, each there once
};

// A place as the table sees it: a field, or one entry of it, or the whole object.
class Structure {
 public:
  explicit Structure(const schema::Shape& root) : shape_(&root) {}
  explicit Structure(const schema::Field& field)
      : field_(&field), shape_(field.shape), form_(field.form) {}

  // Where the table says nothing (kAny), what is there decides.
  [[nodiscard]] Ownership ownership(const boost::json::value* a,
                                    const boost::json::value* b = nullptr) const;

  // What is below a name. Nothing if a structure has no such field.
  [[nodiscard]] std::optional<Structure> below(std::string_view name) const;
  // Names of a structure's fields that are null where they are absent.
  [[nodiscard]] std::vector<std::string_view> null_fields() const;
  [[nodiscard]] bool is_null_if_absent() const {
    return field_ != nullptr && field_->is_null_if_absent;
  }
  // What each entry of a list is.
  [[nodiscard]] Structure entry() const;

  // The step that leads to an entry of a list: k:{"name":"web"}, v:"x". Keys that an entry leaves
  // out count as their default. Nothing if it has no such step.
  [[nodiscard]] std::optional<std::string> step(const boost::json::value& entry) const;

  [[nodiscard]] schema::Type type() const {
    return field_ == nullptr ? schema::Type::kObject : field_->type;
  }
  [[nodiscard]] schema::Form form() const { return form_; }
  // Whether names below are those of a structure rather than keys of a map.
  [[nodiscard]] bool has_named_fields() const;

 private:
  [[nodiscard]] Structure with_form(schema::Form form) const {
    Structure copy = *this;
    copy.form_ = form;
    return copy;
  }

  const schema::Field* field_ = nullptr;
  const schema::Shape* shape_ = nullptr;
  schema::Form form_ = schema::Form::kOne;
};

// The members of an object. Where there are many they come in the order of their names, in which
// sets of places grow without being moved.
[[nodiscard]] std::vector<const boost::json::key_value_pair*> members_in_order(
    const boost::json::object& object);

// The entries of a list that have a step, in the order of their steps; equal ones as they stand.
struct EntryStep {
  std::string step;
  const boost::json::value* value = nullptr;
};
[[nodiscard]] std::vector<EntryStep> entries_in_order(const Structure& structure,
                                                      const boost::json::array& list);

}  // namespace ebb::apiserver
