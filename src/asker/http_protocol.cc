#include <string_view>

#include <fmt/format.h>

#include "asker/common.h"
#include "asker/protocol.h"

namespace ebb::asker {
namespace {

constexpr int kTooManyRequests = 429;
constexpr std::size_t kMostShownBytes = 100;

// Told to wait, or a server's own trouble (P4).
bool is_repeatable(int code) { return code == kTooManyRequests || code >= 500; }

// Pickers need not say that they answer in JSON, but who says something else has a mistake.
bool is_json(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find_first_of("; "));
  return type == "application/json" || type.ends_with("+json");
}

}  // namespace

net::HttpCall make_http_call(const picker::Call& call) {
  net::HttpCall post = make_post(call, call.settings->path);
  post.headers.emplace_back("Content-Type", "application/json");
  post.headers.emplace_back("Accept", "application/json");
  post.shared_body = call.body;
  post.gzip = true;
  return post;
}

picker::Reply read_http_reply(const net::HttpReply& reply) {
  // Known from the head, however the body went.
  if (reply.code >= 300) {
    return {.outcome = picker::Outcome::kStatusCode,
            .code = reply.code,
            .repeatable = is_repeatable(reply.code),
            .retry_after_ns = reply.retry_after_seconds * kNanosecondsPerSecond,
            .detail = fmt::format("HTTP status {}", reply.code)};
  }
  if (auto failure = read_failure(reply)) return std::move(*failure);
  picker::Reply result = to_reply(picker::decode_answer(reply.body));
  if (result.hint.empty() && !reply.body.empty() && !is_json(reply.content_type)) {
    result.hint = fmt::format("its Content-Type is \"{}\" and not application/json",
                              reply.content_type.substr(0, kMostShownBytes));
  }
  return result;
}

}  // namespace ebb::asker
