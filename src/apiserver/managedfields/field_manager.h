// Computes the owners of fields after a write: the rules of server-side apply.
//
// An update makes the writer own every field that it changed or added; all other managers lose
// these fields. Applying a configuration makes the applier own every field in the configuration. If
// that would change a field that another manager owns, it is a conflict, unless the apply is
// forced. A field that the previous configuration had and the new one lacks is removed, unless
// another manager owns it.
#pragma once

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <tl/expected.hpp>

#include "apiserver/managedfields/field_set.h"
#include "apiserver/managedfields/managed_fields.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// A write, for the ownership rules.
struct FieldWrite {
  const schema::Kind& kind;
  Manager manager;
  std::string now{};  // in the format of entries
  // Places that this kind of write cannot change, so it cannot own them either.
  const FieldSet& ignored;
};

// The places that a write to the object, or to a subresource, does not change.
[[nodiscard]] const FieldSet& ignored_fields(const schema::Kind& kind,
                                             std::string_view subresource);

// An object of the kind without any values: the live object of a create.
[[nodiscard]] boost::json::object blank_object(const schema::Kind& kind);

// Reads the entries of a draft (Object::draft), which must outlive them.
[[nodiscard]] ManagedFields managed_fields_of(const boost::json::object& draft);

// Returns the entries of an object after a create (`live` is nullptr), update or patch to `wanted`,
// which may contain entries. `live` is a draft. Empty: ownership is not tracked.
[[nodiscard]] ManagedFields track_update(const FieldWrite& write, const boost::json::object* live,
                                         const boost::json::object& wanted);
// The same with known entries.
[[nodiscard]] ManagedFields track_update(const FieldWrite& write, ManagedFields managed,
                                         const boost::json::object& live,
                                         const boost::json::object& wanted);

// Places that another manager owns and has set to another value.
struct FieldConflict {
  Manager manager;
  FieldSet fields;
};
using FieldConflicts = std::vector<FieldConflict>;

struct Applied {
  boost::json::object object;  // not yet in the order of the table
  ManagedFields managed;
};
[[nodiscard]] tl::expected<Applied, FieldConflicts> apply_fields(
    const FieldWrite& write, ManagedFields managed, const boost::json::object& live,
    const boost::json::object& configuration, bool force);

}  // namespace ebb::apiserver
