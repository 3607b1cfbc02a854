// The annotation in which client-side `kubectl apply` stores the configuration that it applied
// last. When kubectl moves to server-side apply, it takes over the fields that still equal the
// annotation.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/managedfields/field_manager.h"

namespace ebb::apiserver {

// The manager that these rules apply to.
inline constexpr std::string_view kKubectl = "kubectl";

// Removes the conflicts about fields that client-side apply set and that did not change since.
[[nodiscard]] FieldConflicts without_last_applied(const schema::Kind& kind,
                                                  const boost::json::object& live,
                                                  FieldConflicts conflicts);

// Updates the annotation, if the object has it, to the new configuration, so that client-side apply
// continues to work.
void renew_last_applied(boost::json::object configuration, boost::json::object& object);

}  // namespace ebb::apiserver
