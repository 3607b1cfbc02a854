// Functions shared by apply on an object and apply on its scale.
#pragma once  // private to its room

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/managedfields/field_manager.h"
#include "apiserver/request/call.h"
#include "model/api/status.h"

namespace ebb::apiserver {

struct Configuration {
  boost::json::object object{};
  std::vector<std::string> warnings{};
};

// Reads the configuration from the request's body and checks its kind, fields and values.
[[nodiscard]] model::StatusOr<Configuration> read_configuration(const Call& call,
                                                                const schema::Kind& kind,
                                                                const WriteOptions& options);

// Conflicts are a 409. Conflicts with kubectl's own client-side apply are resolved.
[[nodiscard]] model::StatusOr<Applied> apply_configuration(const FieldWrite& write,
                                                           ManagedFields managed,
                                                           const boost::json::object& live,
                                                           const boost::json::object& configuration,
                                                           bool force);

}  // namespace ebb::apiserver
