// Walks through objects along their structure, for server-side apply and for keeping
// metadata.managedFields: what differs between two states, what an applied configuration claims,
// how it is merged in, and how places are taken out again.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/field_set.h"
#include "base/result.h"
#include "schema/shape.h"

namespace ebb::apiserver {

struct FieldChanges {
  FieldSet added;
  FieldSet modified;
  FieldSet removed;

  [[nodiscard]] bool empty() const { return added.empty() && modified.empty() && removed.empty(); }
};
// From the one state to the other. Something added or removed is there with everything in it.
[[nodiscard]] FieldChanges compare_fields(const schema::Shape& shape,
                                          const boost::json::object& before,
                                          const boost::json::object& after);

// Every place that a document says something about.
[[nodiscard]] FieldSet fields_of(const schema::Shape& shape, const boost::json::object& document);

// Whether an applied configuration follows the table: known fields, values of the right kind,
// entries of lists told apart. The error names the place in Kubernetes' words.
[[nodiscard]] Result<void> check_applied(const schema::Shape& shape,
                                         const boost::json::object& configuration);

// The live object with the configuration on top. Both follow the table.
[[nodiscard]] boost::json::object merge_applied(const schema::Shape& shape,
                                                const boost::json::object& live,
                                                const boost::json::object& configuration);

// The object without these places, and without what is below them.
[[nodiscard]] boost::json::object without_fields(const schema::Shape& shape,
                                                 const boost::json::object& object,
                                                 const FieldSet& places);

// The set with every field of a structure in it that has places of the set below. Keys of maps
// and entries of lists stay as they are.
[[nodiscard]] FieldSet with_named_fields(const schema::Shape& shape, const FieldSet& set);

}  // namespace ebb::apiserver
