#include "runtime/pages/health_pages.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime/host/clock.h"

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
                             Bytes("only GET and HEAD are supported\n"));
  }
  // A page that does not exist needs no authorization.
  if (!has(request.path)) {
    return exchange->respond(
        {.code = 404},
        Bytes("not found (available: /metrics, /healthz, /livez, /readyz, /decisions)\n"));
  }
  access_.check(request, [this, exchange](std::optional<Refusal> refusal) {
    if (refusal) {
      net::HttpHead head{.code = refusal->code, .headers = std::move(refusal->headers)};
      head.headers.emplace_back("Content-Type", refusal->content_type);
      head.headers.emplace_back("X-Content-Type-Options", "nosniff");
      return exchange->respond(std::move(head), Bytes(std::move(refusal->text)));
    }
    Page page = page_at(exchange->request().path);
    exchange->respond(
        {.code = page.code,
         .headers = {{"Content-Type", page.content_type}, {"X-Content-Type-Options", "nosniff"}}},
        Bytes(std::move(page.text)));
  });
}

bool HealthPages::has(std::string_view path) {
  return path == "/metrics" || path == "/decisions" || path == "/healthz" || path == "/livez" ||
         path == "/readyz";
}

HealthPages::Page HealthPages::readiness() const {
  if (!health_.is_ready()) {
    return check("readyz", "synced", false, "caches not synced yet");
  }
  // What the loop has reported is out of date if the loop itself is stuck.
  const Nanoseconds still_ns = health_.still_ns(clock_now().mono);
  if (still_ns > kReadyStillnessNs) {
    return check(
        "readyz", "loop", false,
        fmt::format("the main loop has been stuck for {} s", still_ns / kNanosecondsPerSecond));
  }
  const std::vector<Health::Idle> idle = health_.idle();
  if (idle.empty()) return {.text = "ok"};
  // The process itself is healthy, so this is not the 500 of a failed check.
  Page page{.code = 503};
  for (const Health::Idle& one : idle) {
    page.text += fmt::format("[-]{} does not act: {}\n", one.controller, one.why);
  }
  page.text += "readyz check failed\n";
  return page;
}

HealthPages::Page HealthPages::page_at(std::string_view path) const {
  if (path == "/metrics") {
    return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .text = metrics_.text()};
  }
  if (path == "/decisions")
    return {.content_type = "application/json", .text = recent_decisions_.list()};
  if (path == "/healthz" || path == "/livez") {
    return check(path.substr(1), "loop", health_.is_alive(clock_now().mono),
                 "the main loop has been stuck for more than 30 s");
  }
  return readiness();
}

}  // namespace ebb::runtime
