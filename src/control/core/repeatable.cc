#include "control/core/repeatable.h"

#include "control/core/json_document.h"
#include "schema/core/json.h"

namespace ebb::control {
namespace {

bool body_names(const model::ApiRequest& request, schema::Path path) {
  const auto body = parse_document(request.body);
  return body && !schema::text_at(*body, path).empty();
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
