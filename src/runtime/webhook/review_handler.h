// The HTTP side of the webhooks: receives AdmissionReviews from the API server, passes them to the
// process and sends its answers. It reads no review: the process does.
#pragma once  // private to its room

#include <memory>

#include "net/server/http.h"
#include "runtime/host/review_calls.h"

namespace ebb::runtime {

class ReviewHandler : public net::HttpHandler {
 public:
  // `reviews` must outlive the handler and its server.
  explicit ReviewHandler(ReviewCalls& reviews) : reviews_(reviews) {}

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  ReviewCalls& reviews_;
};

// The time limit that the API server puts into its query, such as `timeout=3s`; the longest one
// that a webhook can have if there is none.
[[nodiscard]] Nanoseconds review_timeout_ns(std::string_view query);

}  // namespace ebb::runtime
