// Connects requests to the ownership rules (field_manager.h), and their results to objects.
#pragma once  // private to its room

#include <boost/json/object.hpp>

#include "apiserver/managedfields/field_manager.h"
#include "apiserver/request/call.h"

namespace ebb::apiserver {

// The manager of a request and the fields that it may write.
[[nodiscard]] FieldWrite field_write(const Call& call, const WriteOptions& options);

// Sets the entries as a text in a finished object, which makes it a draft. If the result differs
// from `old` only in times, it is made equal to `old`, so that nothing is written.
void update_managed_fields(boost::json::object& object, const ManagedFields& managed,
                           const boost::json::object* old);

}  // namespace ebb::apiserver
