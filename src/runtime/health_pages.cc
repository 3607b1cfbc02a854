#include "runtime/health_pages.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/clock.h"

namespace ebb::runtime {

HealthPages::Page HealthPages::check(std::string_view endpoint, std::string_view name, bool good,
                                     std::string_view why) {
  if (good) return {.text = "ok"};
  return {.code = 500,
          .text = fmt::format("[-]{} failed: {}\n{} check failed\n", name, why, endpoint)};
}

void HealthPages::handle(std::shared_ptr<net::HttpExchange> exchange) {
  const net::HttpRequest& request = exchange->request();
  if (request.method != "GET" && request.method != "HEAD") {
    return exchange->respond({.code = 405, .headers = {{"Allow", "GET, HEAD"}}},
                             Bytes("only GET is possible here\n"));
  }
  Page page = page_at(request.path, request.from_loopback);
  exchange->respond(
      {.code = page.code,
       .headers = {{"Content-Type", page.content_type}, {"X-Content-Type-Options", "nosniff"}}},
      Bytes(std::move(page.text)));
}

HealthPages::Page HealthPages::decisions(bool from_loopback) const {
  if (from_loopback) return {.content_type = "application/json", .text = book_.list()};
  return {.code = 403,
          .text = "decisions are told only on loopback, such as through kubectl port-forward\n"};
}

HealthPages::Page HealthPages::page_at(std::string_view path, bool from_loopback) const {
  if (path == "/metrics") {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .text = metrics_.text()};
  }
  if (path == "/decisions") return decisions(from_loopback);
  if (path == "/healthz" || path == "/livez") {
    return check(path.substr(1), "loop", health_.is_alive(clock_now().mono),
                 "nothing has happened for half a minute");
  }
  if (path == "/readyz") {
    return check("readyz", "synced", health_.is_ready(), "the cluster has not been read yet");
  }
  return {.code = 404, .text = "there is /metrics, /healthz, /livez, /readyz and /decisions\n"};
}

}  // namespace ebb::runtime
