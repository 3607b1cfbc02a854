#include "pickerclient/common.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "pickerclient/protocol.h"

namespace ebb::picker_client {

using picker::Outcome;
using picker::Reply;
using Reason = net::HttpReply::Reason;

net::HttpCall make_post(const picker::Call& call, std::string_view path) {
  const picker::Settings& settings = *call.settings;
  const bool bracketed = settings.host.find(':') != std::string::npos;
  net::HttpCall post{
      .method = "POST",
      .url = fmt::format("{}://{}{}{}:{}{}", settings.tls ? "https" : "http", bracketed ? "[" : "",
                         settings.host, bracketed ? "]" : "", settings.port, path),
      .headers = call.headers,
      .max_bytes = picker::kMaxAnswerBytes,
      .max_head_bytes = kMaxHeadBytes,
      // The contract requires it of pickers, and the key lets them detect repeats.
      .idempotent = true,
      .drop_errors = true,
      // On a shared connection, one stuck response blocks all calls, and the identity of a
      // certificate is verified for one call only.
      .alone = settings.tls,
  };
  post.headers.emplace_back("Idempotency-Key", call.idempotency_key);
  if (call.shadow) post.headers.emplace_back("Ebb-Shadow", "true");
  post.headers.emplace_back("User-Agent", "ebb/" EBB_VERSION);
  if (settings.tls) {
    post.tls = std::make_shared<net::HttpClientTls>(
        net::HttpClientTls{.ca_pem = settings.ca_pem,
                           .system_too = true,
                           .server_name = settings.server_name,
                           .certificate_pem = call.certificate_pem,
                           .key_pem = call.key_pem});
  }
  return post;
}

bool is_sendable(const picker::Call& call) {
  const picker::Settings& settings = *call.settings;
  const bool visible = std::all_of(settings.path.begin(), settings.path.end(),
                                   [](char c) { return c > ' ' && c < 0x7f; });
  return visible && settings.path.starts_with('/') &&
         std::all_of(call.headers.begin(), call.headers.end(), [&](const auto& header) {
           return picker::may_set_header(header.first, settings.protocol) &&
                  picker::valid_header_value(header.second);
         });
}

std::optional<Reply> read_failure(const net::HttpReply& reply) {
  if (reply.failure == net::HttpReply::Failure::kNone) return std::nullopt;
  Reply result{.detail = reply.plain_error};
  switch (reply.reason) {
    case Reason::kTimeout:
      result.outcome = Outcome::kTimeout;
      break;
    case Reason::kForbidden:
      result.outcome = Outcome::kRefused;
      break;
    case Reason::kUntrusted:
      result.outcome = Outcome::kTls;
      break;
    case Reason::kHandshake:
      // A server that is starting or stopping also aborts handshakes.
      result.outcome = Outcome::kTls;
      result.repeatable = true;
      break;
    case Reason::kTooLong:
      result.outcome = Outcome::kOversize;
      break;
    case Reason::kNonsense:
      return malformed(reply.plain_error);
    case Reason::kNoConnection:
    case Reason::kLost:
    case Reason::kNone:
      result.outcome = Outcome::kRefused;
      result.repeatable = true;
      break;
  }
  return result;
}

Reply to_reply(Result<picker::Answer> answer) {
  if (!answer) {
    // The error may quote the answer.
    Reply reply = malformed("the answer does not follow the contract");
    reply.hint = std::move(answer.error().message);
    return reply;
  }
  const bool empty = answer->chosen.empty() && answer->tied.empty();
  return {.outcome = empty ? Outcome::kEmpty : Outcome::kAnswered, .answer = std::move(*answer)};
}

Reply malformed(std::string detail) {
  return {.outcome = Outcome::kMalformed, .repeatable = true, .detail = std::move(detail)};
}

Reply with_excerpt(Reply reply, std::string_view body) {
  constexpr std::size_t kMaxExcerptBytes = 200;
  if (reply.outcome != Outcome::kMalformed) return reply;
  reply.excerpt = body.substr(0, kMaxExcerptBytes);
  reply.answer_bytes = body.size();
  return reply;
}

}  // namespace ebb::picker_client
