// The errors of server-side apply, in Kubernetes' words.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/managedfields/field_manager.h"
#include "model/api/status.h"

namespace ebb::apiserver {

// 409, with a cause for each conflict.
[[nodiscard]] model::Status conflict_status(const FieldConflicts& conflicts);
// 500 without a reason: Kubernetes' answer to a configuration that does not fit its schema.
[[nodiscard]] model::Status unnamed_error(std::string message);
// 400, for a body that is not an object.
[[nodiscard]] model::Status no_object(const boost::json::value& body);

// apps/v1, Kind=Deployment
[[nodiscard]] std::string type_text(std::string_view api_version, std::string_view kind);
// shop/web; apps/v1, Kind=Deployment
[[nodiscard]] std::string object_text(const boost::json::object& object);

}  // namespace ebb::apiserver
