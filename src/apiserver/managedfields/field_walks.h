// Walks through objects along their structure, for server-side apply and metadata.managedFields:
// compares two states, collects the claims of an applied configuration, merges it, and removes
// places.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/managedfields/field_set.h"
#include "base/result.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

struct FieldChanges {
  FieldSet added;
  FieldSet modified;
  FieldSet removed;

  [[nodiscard]] bool empty() const { return added.empty() && modified.empty() && removed.empty(); }
};
// Compares two states. A value that was added or removed is listed with everything in it.
[[nodiscard]] FieldChanges compare_fields(const schema::ObjectSchema& schema,
                                          const boost::json::object& before,
                                          const boost::json::object& after);

// Returns every place that a document sets.
[[nodiscard]] FieldSet fields_of(const schema::ObjectSchema& schema,
                                 const boost::json::object& document);

// Checks an applied configuration against the table: known fields, values of the right type, unique
// list entries. The error names the place in Kubernetes' words.
[[nodiscard]] Result<void> check_applied(const schema::ObjectSchema& schema,
                                         const boost::json::object& configuration);

// Merges the configuration into the live object. Both follow the table.
[[nodiscard]] boost::json::object merge_applied(const schema::ObjectSchema& schema,
                                                const boost::json::object& live,
                                                const boost::json::object& configuration);

// Returns the object without these places and everything below them.
[[nodiscard]] boost::json::object without_fields(const schema::ObjectSchema& schema,
                                                 const boost::json::object& object,
                                                 const FieldSet& places);

// Adds every field of a structure that has places of the set below it. Keys of maps and entries of
// lists are not added.
[[nodiscard]] FieldSet with_named_fields(const schema::ObjectSchema& schema, const FieldSet& set);

}  // namespace ebb::apiserver
