// From requests to the rules of ownership (field_manager.h), and from there into objects.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/call.h"
#include "apiserver/field_manager.h"

namespace ebb::apiserver {

// Who writes, to what.
[[nodiscard]] FieldWrite field_write(const Call& call, const WriteOptions& options);

// Puts the entries as a text into an object that is ready otherwise: makes it a draft. Where it
// then differs from `old` in nothing but times, it is made equal to it: nothing was written.
void settle_managed_fields(boost::json::object& object, const ManagedFields& managed,
                           const boost::json::object* old);

}  // namespace ebb::apiserver
