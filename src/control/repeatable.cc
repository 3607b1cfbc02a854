#include "control/repeatable.h"

#include <boost/json/parse.hpp>

#include "schema/json.h"

namespace ebb::control {
namespace {

bool body_names(const model::ApiRequest& request, schema::Path path) {
  constexpr std::size_t kDeepest = 200;
  boost::json::parse_options options;
  options.max_depth = kDeepest;
  boost::json::error_code error;
  const boost::json::value body = boost::json::parse(request.body, error, {}, options);
  const boost::json::object* object = error ? nullptr : body.if_object();
  return object != nullptr && !schema::text_at(*object, path).empty();
}

}  // namespace

bool is_repeatable(const model::ApiRequest& request) {
  switch (request.method) {
    case model::Method::kGet:
      return true;
    case model::Method::kPut:
      return body_names(request, {"metadata", "resourceVersion"});
    case model::Method::kPatch:
      return body_names(request, {"metadata", "uid"});
    case model::Method::kDelete:
      return body_names(request, {"preconditions", "uid"});
    case model::Method::kPost:
      break;
  }
  return false;
}

}  // namespace ebb::control
