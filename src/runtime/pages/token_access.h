// Access by bearer token, as Kubernetes components grant it: the API server says whose token it is
// (TokenReview) and whether that user may get the path (SubjectAccessReview).
//
// Reviews run on their own thread; check() never waits for one. Tokens never appear in logs or
// answers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/pages/allowed_paths.h"
#include "runtime/pages/page_access.h"
#include "runtime/pages/review_queue.h"
#include "runtime/pages/reviewer.h"

namespace ebb::runtime {

class TokenAccess : public PageAccess {
 public:
  // `warn` is called with the cause of a failed review, at most once a minute, from the review
  // thread.
  TokenAccess(AllowedPaths always_allowed, std::unique_ptr<Reviewer> reviewer,
              std::function<void(const std::string&)> warn, const ReviewLimits& limits = {});
  // Drops requests that still wait.
  ~TokenAccess() override;
  TokenAccess(const TokenAccess&) = delete;
  TokenAccess& operator=(const TokenAccess&) = delete;

  void check(const net::HttpRequest& request, Done done) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::runtime
