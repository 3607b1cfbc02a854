// What applying to an object and applying to its scale share.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/call.h"
#include "apiserver/field_manager.h"
#include "model/status.h"

namespace ebb::apiserver {

struct Configuration {
  boost::json::object object{};
  std::vector<std::string> warnings{};
};

// The configuration in a request's body: of the kind, with fields and values that it has.
[[nodiscard]] model::StatusOr<Configuration> read_configuration(const Call& call,
                                                                const schema::Kind& kind,
                                                                const WriteOptions& options);

// Conflicts are a 409. kubectl gets help on its way from client-side to server-side apply.
[[nodiscard]] model::StatusOr<Applied> apply_configuration(const FieldWrite& write,
                                                           ManagedFields managed,
                                                           const boost::json::object& live,
                                                           const boost::json::object& configuration,
                                                           bool force);

}  // namespace ebb::apiserver
