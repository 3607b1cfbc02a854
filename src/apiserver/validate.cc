#include "apiserver/validate.h"

namespace ebb::apiserver {

std::vector<model::StatusCause> validate(const schema::Kind&, const boost::json::object&,
                                         const boost::json::object*) {
  return {};
}

std::vector<model::StatusCause> validate_status(const schema::Kind&, const boost::json::object&,
                                                const boost::json::object&) {
  return {};
}

}  // namespace ebb::apiserver
