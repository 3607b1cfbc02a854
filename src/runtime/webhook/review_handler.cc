#include "runtime/webhook/review_handler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "hollow/duration.h"
#include "runtime/host/clock.h"

namespace ebb::runtime {
namespace {

constexpr std::string_view kJson = "application/json";
// The longest timeoutSeconds that Kubernetes accepts.
constexpr Nanoseconds kLongestTimeoutNs = 30 * kNanosecondsPerSecond;

// One path for each webhook, so that their calls can be told apart in the API server's metrics and
// logs. Both take the same reviews.
bool has(std::string_view path) { return path == "/scale-down" || path == "/fence"; }

void refuse(net::HttpExchange& exchange, int code, std::string text) {
  exchange.respond({.code = code,
                    .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                                {"X-Content-Type-Options", "nosniff"}}},
                   Bytes(std::move(text)));
}

}  // namespace

Nanoseconds review_timeout_ns(std::string_view query) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), one.size() + 1));
    constexpr std::string_view kTimeout = "timeout=";
    if (!one.starts_with(kTimeout)) continue;
    const auto span = hollow::parse_duration(one.substr(kTimeout.size()));
    if (span && *span > 0) return std::min(*span, kLongestTimeoutNs);
  }
  return kLongestTimeoutNs;
}

bool ReviewHandler::wants_body(const net::HttpRequest& head) {
  return head.method == "POST" && has(head.path);
}

void ReviewHandler::handle(std::shared_ptr<net::HttpExchange> exchange) {
  net::HttpRequest& request = exchange->request();
  if (!has(request.path)) {
    return refuse(*exchange, 404, "not found (available: /scale-down, /fence)\n");
  }
  if (request.method != "POST") return refuse(*exchange, 405, "only POST is supported\n");
  if (request.body_state == net::HttpRequest::Body::kTooLarge) {
    return refuse(*exchange, 413, "the review is too large\n");
  }
  if (!request.content_type.starts_with(kJson)) {
    return refuse(*exchange, 415, "expected application/json\n");
  }
  const Timestamp deadline = later_by(clock_now().mono, review_timeout_ns(request.query));
  const auto id = reviews_.put(std::move(request.body), deadline, [exchange](std::string body) {
    if (body.empty()) return refuse(*exchange, 400, "not an AdmissionReview\n");
    exchange->respond({.headers = {{"Content-Type", std::string(kJson)}}}, Bytes(std::move(body)));
  });
  // The API server ignores a webhook that fails, so the request goes on without ebb.
  if (!id) return refuse(*exchange, 503, "too many reviews are waiting\n");
  exchange->on_over([this, id = *id] { reviews_.drop(id); });
}

}  // namespace ebb::runtime
