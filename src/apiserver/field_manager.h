// Who owns which fields after a write: the rules of server-side apply.
//
// Whoever updates an object owns what it changed or added, and everybody else loses it. Whoever
// applies a configuration owns all that the configuration mentions; where it would change what
// somebody else owns there is a conflict, unless it forces its way. What it mentioned last time
// and does not any more goes, unless somebody else owns it too.
#pragma once

#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <tl/expected.hpp>

#include "apiserver/field_set.h"
#include "apiserver/managed_fields.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// A write as ownership sees it.
struct FieldWrite {
  const schema::Kind& kind;
  Manager manager;
  std::string now{};  // as entries carry it
  // Places that this kind of write cannot change, so that nobody comes to own them by it.
  const FieldSet& ignored;
};

// The places that a write to the object, or to a subresource, leaves alone.
[[nodiscard]] const FieldSet& ignored_fields(const schema::Kind& kind,
                                             std::string_view subresource);

// An object of the kind in which nothing was said yet: the live object of a create.
[[nodiscard]] boost::json::object blank_object(const schema::Kind& kind);

// The entries of a draft (Object::draft), which must outlive them.
[[nodiscard]] ManagedFields managed_fields_of(const boost::json::object& draft);

// The entries of an object after a create (`live` is nullptr), update or patch to `wanted`,
// which may bring entries of its own. `live` is a draft. Empty: nobody is kept track of.
[[nodiscard]] ManagedFields track_update(const FieldWrite& write, const boost::json::object* live,
                                         const boost::json::object& wanted);
// The same where the entries are known.
[[nodiscard]] ManagedFields track_update(const FieldWrite& write, ManagedFields managed,
                                         const boost::json::object& live,
                                         const boost::json::object& wanted);

// Places that somebody else owns and has set to something else.
struct FieldConflict {
  Manager manager;
  FieldSet fields;
};
using FieldConflicts = std::vector<FieldConflict>;

struct Applied {
  boost::json::object object;  // not yet brought into the form of the table
  ManagedFields managed;
};
[[nodiscard]] tl::expected<Applied, FieldConflicts> apply_fields(
    const FieldWrite& write, ManagedFields managed, const boost::json::object& live,
    const boost::json::object& configuration, bool force);

}  // namespace ebb::apiserver
