// The annotation in which client-side `kubectl apply` keeps what it applied last, for whoever goes
// on with server-side apply: fields that are as the annotation says are kubectl's to take over.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/field_manager.h"

namespace ebb::apiserver {

// The manager that these rules hold for.
inline constexpr std::string_view kKubectl = "kubectl";

// The conflicts but for fields that client-side apply set and nobody changed since.
[[nodiscard]] FieldConflicts without_last_applied(const schema::Kind& kind,
                                                  const boost::json::object& live,
                                                  FieldConflicts conflicts);

// Where the object has the annotation, it says the configuration from now on, so that client-side
// apply can go on as well.
void renew_last_applied(boost::json::object configuration, boost::json::object& object);

}  // namespace ebb::apiserver
