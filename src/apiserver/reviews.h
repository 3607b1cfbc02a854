// Who may do what: clients ask before they try (`kubectl auth can-i`, `kubectl auth whoami`). The
// one identity there is may do everything.
#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "model/api.h"
#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// The one who has the token of the kubeconfig, as a UserInfo.
[[nodiscard]] boost::json::object user_info();

struct Review {
  const schema::Kind& kind;
  model::StatusOr<boost::json::object> answer;  // the review with its status
};

// Nothing if the path is no review's.
[[nodiscard]] std::optional<Review> answer_review(const model::ApiRequest& request);

}  // namespace ebb::apiserver
