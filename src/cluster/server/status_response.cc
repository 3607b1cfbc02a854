#include "cluster/server/status_response.h"

#include <boost/json/serialize.hpp>

namespace ebb::cluster {

model::ApiResponse status_response(const model::Status& status) {
  model::ApiResponse response;
  response.code = status.code;
  response.body = Bytes(boost::json::serialize(status.to_json()));
  response.retry_after_seconds = status.retry_after_seconds;
  return response;
}

model::ApiResponse stopping_response() {
  return status_response(model::internal_error("the server is stopping"));
}

}  // namespace ebb::cluster
