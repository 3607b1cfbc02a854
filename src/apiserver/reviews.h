// Who may do what: clients ask before they try (`kubectl auth can-i`, `kubectl auth whoami`). The
// one identity there is may do everything.
#pragma once

#include <optional>

#include <boost/json/object.hpp>

#include "model/api.h"
#include "model/status.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// Who asks, as a UserInfo: the one who has the token of the kubeconfig, or whom that one wants to
// be taken for.
[[nodiscard]] boost::json::object user_info(const model::Impersonation& as);

// Says no to groups and the like without a user whose they would be.
[[nodiscard]] model::StatusOr<void> check_impersonation(const model::Impersonation& as);

struct Review {
  const schema::Kind& kind;
  model::StatusOr<boost::json::object> answer;  // the review with its status
};

// Nothing if the path is no review's.
[[nodiscard]] std::optional<Review> answer_review(const model::ApiRequest& request);

}  // namespace ebb::apiserver
