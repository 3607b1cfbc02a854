#include "cluster/server/api_host.h"

#include <array>
#include <optional>
#include <utility>

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include "cluster/server/clock.h"
#include "cluster/server/compress.h"
#include "cluster/server/impersonation.h"
#include "cluster/server/status_response.h"
#include "model/api/status.h"
#include "net/tls/secret.h"

namespace ebb::cluster {
namespace {

using model::Method;
using net::HttpExchange;
using net::HttpRequest;

constexpr int kTryAgainSeconds = 1;

struct MethodName {
  std::string_view name;
  Method method;
};
// HEAD is a GET without the response body.
constexpr std::array kMethods = {
    MethodName{"GET", Method::kGet},     MethodName{"HEAD", Method::kGet},
    MethodName{"POST", Method::kPost},   MethodName{"PUT", Method::kPut},
    MethodName{"PATCH", Method::kPatch}, MethodName{"DELETE", Method::kDelete},
};

std::optional<Method> method_of(std::string_view name) {
  for (const MethodName& known : kMethods) {
    if (known.name == name) return known.method;
  }
  return std::nullopt;
}

// The paths that Kubernetes makes public by default.
constexpr std::array<std::string_view, 4> kPublicPaths = {"/healthz", "/livez", "/readyz",
                                                          "/version"};

// The text of a quoted string in a header.
std::string quoted_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    result += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return result + '"';
}

void respond(HttpExchange& exchange, ApiResponse response) {
  net::HttpHead head = response_head_of(response);
  if (response.body.size() >= kMinCompressed) {
    head.headers.emplace_back("Vary", "Accept-Encoding");
    const bool wanted = accepts_gzip(exchange.request().accept_encoding);
    if (std::optional<Bytes> small = wanted ? compressed(response.body) : std::nullopt) {
      head.headers.emplace_back("Content-Encoding", "gzip");
      response.body = *std::move(small);
    }
  }
  exchange.respond(std::move(head), std::move(response.body));
}

// One write at a time: until the client has received a piece, no more is read from the history, so
// a slow client holds no more memory than one piece.
void send_watch(const std::shared_ptr<HttpExchange>& exchange,
                const std::shared_ptr<LiveWatch>& watch) {
  watch->next([exchange, watch](Bytes bytes, bool ended) {
    exchange->write(std::move(bytes), [exchange, watch, ended](bool sent) {
      if (!sent) return;
      if (ended) return exchange->end();
      send_watch(exchange, watch);
    });
  });
}

}  // namespace

class ApiHost::Place {
 public:
  explicit Place(std::shared_ptr<std::atomic<int>> counter) : counter_(std::move(counter)) {}
  ~Place() { give_back(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void give_back() {
    if (!given_back_.exchange(true)) --*counter_;
  }

 private:
  std::shared_ptr<std::atomic<int>> counter_;
  std::atomic<bool> given_back_ = false;
};

net::HttpHead response_head_of(const ApiResponse& response) {
  net::HttpHead head{.code = response.code, .headers = {}};
  head.headers.emplace_back("Cache-Control", "no-cache, private");
  if (response.code != 304) head.headers.emplace_back("Content-Type", response.content_type);
  if (!response.etag.empty()) {
    head.headers.emplace_back("ETag", response.etag);
    head.headers.emplace_back("Vary", "Accept");
  }
  // Some clients accept no more than a hundred header lines.
  constexpr std::size_t kMaxWarnings = 50;
  for (const std::string& warning : response.warnings) {
    if (head.headers.size() >= kMaxWarnings) break;
    head.headers.emplace_back("Warning", "299 - " + quoted_string(warning));
  }
  if (response.retry_after_seconds > 0) {
    head.headers.emplace_back("Retry-After", std::to_string(response.retry_after_seconds));
  }
  return head;
}

ApiHost::ApiHost(LiveServer& server, ApiHostSettings settings)
    : server_(server),
      settings_(std::move(settings)),
      in_flight_(std::make_shared<std::atomic<int>>(0)) {}

bool ApiHost::is_allowed(const HttpRequest& request) const {
  for (const std::string_view path : kPublicPaths) {
    if (request.path == path && (request.method == "GET" || request.method == "HEAD")) return true;
  }
  return has_token(request);
}

bool ApiHost::has_token(const HttpRequest& request) const {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = request.authorization;
  return boost::algorithm::istarts_with(given, kScheme) &&
         net::equal_secrets(given.substr(kScheme.size()), settings_.token);
}

std::shared_ptr<ApiHost::Place> ApiHost::take_place() {
  const bool full = ++*in_flight_ > settings_.max_in_flight;
  auto place = std::make_shared<Place>(in_flight_);
  return full ? nullptr : place;
}

bool ApiHost::wants_body(const HttpRequest& head) { return has_token(head); }

void ApiHost::handle(std::shared_ptr<HttpExchange> exchange) {
  HttpRequest& request = exchange->request();
  if (!is_allowed(request)) return respond(*exchange, status_response(model::unauthorized()));
  const std::optional<Method> method = method_of(request.method);
  if (!method) {
    return respond(*exchange, status_response(model::method_not_allowed({}, request.method)));
  }
  if (request.body_state != HttpRequest::Body::kWhole) {
    return respond(*exchange, status_response(model::too_large("Request entity too large")));
  }
  const auto place = take_place();
  if (!place) {
    return respond(*exchange, status_response(model::too_many_requests(
                                  "too many requests, please try again later", kTryAgainSeconds)));
  }
  // Counted until the response is written: a client that reads slowly gets fewer of them.
  exchange->on_over([place] { place->give_back(); });
  ApiRequest asked{.method = *method,
                   .path = std::move(request.path),
                   .query = std::move(request.query),
                   .content_type = std::move(request.content_type),
                   .accept = std::move(request.accept),
                   .user_agent = std::move(request.user_agent),
                   .if_none_match = std::move(request.if_none_match),
                   .as = impersonation_of(request.impersonation),
                   .body = std::move(request.body),
                   .received = wall_now()};
  server_.submit(std::move(asked),
                 [exchange, place](ApiResponse response, const std::shared_ptr<LiveWatch>& watch) {
                   if (!watch) return respond(*exchange, std::move(response));
                   place->give_back();
                   exchange->on_over([watch] { watch->cancel(); });
                   exchange->begin(response_head_of(response));
                   send_watch(exchange, watch);
                 });
}

}  // namespace ebb::cluster
