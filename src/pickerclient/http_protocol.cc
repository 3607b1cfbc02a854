#include <string>
#include <string_view>

#include <fmt/format.h>

#include "model/json/printable.h"
#include "pickerclient/common.h"
#include "pickerclient/protocol.h"
#include "schema/core/utf8.h"

namespace ebb::picker_client {
namespace {

constexpr int kTooManyRequests = 429;
constexpr std::size_t kMaxShownBytes = 100;

// Asked to wait, or a server error (P4).
bool is_repeatable_status(int code) { return code == kTooManyRequests || code >= 500; }

// Pickers need not declare that they answer in JSON, but declaring another type is an error.
bool is_json(std::string_view content_type) {
  const std::string_view type = content_type.substr(0, content_type.find_first_of("; "));
  return type == "application/json" || type.ends_with("+json");
}

// A header may contain any bytes, and the hint goes to a terminal.
std::string shown(const std::string& content_type) {
  return model::printable(schema::as_utf8(content_type.substr(0, kMaxShownBytes)));
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
  // Known from the head, whatever happened to the body.
  if (reply.code >= 300) {
    return {.outcome = picker::Outcome::kStatusCode,
            .code = reply.code,
            .repeatable = is_repeatable_status(reply.code),
            .retry_after_ns = reply.retry_after_seconds * kNanosecondsPerSecond,
            .detail = fmt::format("HTTP status {}", reply.code)};
  }
  if (auto failure = read_failure(reply)) return std::move(*failure);
  picker::Reply result = to_reply(picker::decode_answer(reply.body));
  if (result.hint.empty() && !reply.body.empty() && !is_json(reply.content_type)) {
    result.hint = fmt::format("its Content-Type is \"{}\" (expected application/json)",
                              shown(reply.content_type));
  }
  return result;
}

}  // namespace ebb::picker_client
