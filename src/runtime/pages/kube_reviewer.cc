#include "runtime/pages/kube_reviewer.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/host/reply.h"
#include "runtime/pages/review_messages.h"

namespace ebb::runtime {
namespace {

// For each of the two reviews. Prometheus waits for ten seconds by default.
constexpr Nanoseconds kDeadlineNs = 4 * kNanosecondsPerSecond;

constexpr bool is_success(int code) { return code >= 200 && code < 300; }

}  // namespace

struct KubeReviewer::Review {
  void fail(std::string_view what, std::string problem) const {
    // The answer may quote the request.
    if (problem.find(token) != std::string::npos)
      problem = "the answer is withheld because it contains the token";
    done({.kind = Verdict::Kind::kFailed, .problem = fmt::format("{}: {}", what, problem)});
  }

  std::string token;
  std::string path;
  Done done;
};

void KubeReviewer::post(std::string_view path, std::string body, kube::Client::Done done) {
  client_->send({.method = model::Method::kPost,
                 .path = std::string(path),
                 .content_type = "application/json",
                 .accept = "application/json",
                 .body = std::move(body)},
                kDeadlineNs, std::move(done));
}

void KubeReviewer::ask(std::string token, std::string path, Done done) {
  const auto review = std::make_shared<Review>(
      Review{.token = std::move(token), .path = std::move(path), .done = std::move(done)});
  post(kTokenReviews, token_review(review->token), [this, review](const kube::ApiReply& reply) {
    if (!is_success(reply.response.code))
      return review->fail("TokenReview", what_went_wrong(reply));
    const auto user = read_token_review(reply.response.body.str());
    if (!user) return review->fail("TokenReview", user.error().message);
    if (!*user) return review->done({.kind = Verdict::Kind::kUnauthenticated});
    const std::string name = (*user)->name;
    post(kAccessReviews, access_review(**user, review->path),
         [review, name](const kube::ApiReply& answer) {
           if (!is_success(answer.response.code)) {
             return review->fail("SubjectAccessReview", what_went_wrong(answer));
           }
           const auto allowed = read_access_review(answer.response.body.str());
           if (!allowed) return review->fail("SubjectAccessReview", allowed.error().message);
           if (*allowed) return review->done({.kind = Verdict::Kind::kAllowed});
           review->done({.kind = Verdict::Kind::kForbidden, .user = name});
         });
  });
}

}  // namespace ebb::runtime
