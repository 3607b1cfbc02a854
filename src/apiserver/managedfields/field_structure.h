// How the ownership of fields follows the structure of objects, read from the schema table.
//
// For every place, server-side apply needs to know whether it has one owner as a whole, or an owner
// for each field, key, entry or value below it.
#pragma once  // private to its room

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "schema/core/object_schema.h"

namespace ebb::apiserver {

enum class Ownership {
  kWhole,    // scalars, atomic lists, maps and structures
  kFields,   // a structure
  kKeys,     // a map
  kEntries,  // a list whose entries have keys
  kValues,   // a list of distinct plain values
};

// A place in the schema table: a field, one entry of it, or the whole object.
class Structure {
 public:
  explicit Structure(const schema::ObjectSchema& root) : schema_(&root) {}
  explicit Structure(const schema::Field& field)
      : field_(&field), schema_(field.schema), form_(field.form) {}

  // Where the table allows any type (kAny), the values decide.
  [[nodiscard]] Ownership ownership(const boost::json::value* a,
                                    const boost::json::value* b = nullptr) const;

  // Returns the place below a name; nothing if a structure lacks the field.
  [[nodiscard]] std::optional<Structure> below(std::string_view name) const;
  // The names of a structure's fields that are null if absent.
  [[nodiscard]] std::vector<std::string_view> null_fields() const;
  [[nodiscard]] bool is_null_if_absent() const {
    return field_ != nullptr && field_->is_null_if_absent;
  }
  // The structure of each entry of a list.
  [[nodiscard]] Structure entry() const;

  // Returns the step of a list entry: k:{"name":"web"}, v:"x". Keys that the entry omits have their
  // default. Nothing if the entry has no step.
  [[nodiscard]] std::optional<std::string> step(const boost::json::value& entry) const;

  [[nodiscard]] schema::Type type() const {
    return field_ == nullptr ? schema::Type::kObject : field_->type;
  }
  [[nodiscard]] schema::Form form() const { return form_; }
  // Returns true for a structure, false for a map.
  [[nodiscard]] bool has_named_fields() const;

 private:
  [[nodiscard]] Structure with_form(schema::Form form) const {
    Structure copy = *this;
    copy.form_ = form;
    return copy;
  }

  const schema::Field* field_ = nullptr;
  const schema::ObjectSchema* schema_ = nullptr;
  schema::Form form_ = schema::Form::kOne;
};

// The members of an object. Large objects are sorted by name, so that sets grow without moving
// steps.
[[nodiscard]] std::vector<const boost::json::key_value_pair*> members_in_order(
    const boost::json::object& object);

// The entries of a list that have a step, sorted by step; equal ones keep their order.
struct EntryStep {
  std::string step;
  const boost::json::value* value = nullptr;
};
[[nodiscard]] std::vector<EntryStep> entries_in_order(const Structure& structure,
                                                      const boost::json::array& list);

}  // namespace ebb::apiserver
