// Access reviews, which clients post before they act (`kubectl auth can-i`, `kubectl auth whoami`).
// There is one identity, and it may do everything.
#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "model/api/api.h"
#include "model/api/status.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// The user of a request as a UserInfo: the holder of the kubeconfig's token, or the user that it
// impersonates.
[[nodiscard]] boost::json::object user_info(const model::Impersonation& as);

// Refuses impersonated groups, uids or extras without an impersonated user.
[[nodiscard]] model::StatusOr<void> check_impersonation(const model::Impersonation& as);

struct Review {
  const schema::Kind& kind;
  model::StatusOr<boost::json::object> answer;  // the review with its status
};

// Nothing if the path is not that of a review.
[[nodiscard]] std::optional<Review> answer_review(const model::ApiRequest& request);

}  // namespace ebb::apiserver
