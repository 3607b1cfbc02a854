#include <algorithm>

#include <fmt/format.h>

#include "picker/answer_protobuf.h"
#include "pickerclient/common.h"
#include "pickerclient/protocol.h"

namespace ebb::picker_client {
namespace {

using picker::Outcome;
using picker::Reply;

// gRPC status codes.
constexpr int kOk = 0;
constexpr int kUnknown = 2;
constexpr int kDeadlineExceeded = 4;
constexpr int kPermissionDenied = 7;
constexpr int kResourceExhausted = 8;
constexpr int kAborted = 10;
constexpr int kUnimplemented = 12;
constexpr int kInternal = 13;
constexpr int kUnavailable = 14;
constexpr int kDataLoss = 15;
constexpr int kUnauthenticated = 16;

// Precedes each message: a compression flag and the length.
constexpr std::size_t kPrefixBytes = 5;

std::string framed(const std::string& message) {
  std::string frame(1, '\0');
  frame.reserve(kPrefixBytes + message.size());
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    frame += static_cast<char>((message.size() >> shift) & 0xff);
  }
  return frame + message;
}

std::size_t announced_length(std::string_view body) {
  std::size_t length = 0;
  for (const char c : body.substr(1, 4)) length = length << 8U | static_cast<unsigned char>(c);
  return length;
}

// The gRPC mapping for responses from peers that do not speak it, such as proxies.
int code_of_http(int status) {
  switch (status) {
    case 400:
      return kInternal;
    case 401:
      return kUnauthenticated;
    case 403:
      return kPermissionDenied;
    case 404:
      return kUnimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return kUnavailable;
    default:
      return kUnknown;
  }
}

// The codes that correspond to 429 and 5xx.
bool is_repeatable(int code) {
  constexpr int kRepeatable[] = {kUnknown,  kDeadlineExceeded, kResourceExhausted, kAborted,
                                 kInternal, kUnavailable,      kDataLoss};
  return std::find(std::begin(kRepeatable), std::end(kRepeatable), code) != std::end(kRepeatable);
}

Reply status(int code, const net::HttpReply& reply) {
  return {.outcome = code == kDeadlineExceeded ? Outcome::kTimeout : Outcome::kStatusCode,
          .code = code,
          .repeatable = is_repeatable(code),
          .retry_after_ns = reply.retry_after_seconds * kNanosecondsPerSecond,
          .detail = fmt::format("gRPC status {}", code)};
}

bool is_grpc(std::string_view content_type) {
  constexpr std::string_view kType = "application/grpc";
  if (!content_type.starts_with(kType)) return false;
  content_type.remove_prefix(kType.size());
  return content_type.empty() || content_type.front() == '+' || content_type.front() == ';';
}

// Exactly one message, not compressed.
Reply read_message(std::string_view body) {
  if (body.size() < kPrefixBytes) return malformed("the answer has no message");
  if (body.front() != '\0')
    return malformed("the message is compressed, although the client did not accept that");
  const std::size_t length = announced_length(body);
  body.remove_prefix(kPrefixBytes);
  if (length > picker::kMaxAnswerBytes) {
    return {.outcome = Outcome::kOversize, .detail = "the message is too long"};
  }
  if (length != body.size()) return malformed("the answer is not exactly one message");
  return to_reply(picker::decode_answer_protobuf(body));
}

}  // namespace

net::HttpCall make_grpc_call(const picker::Call& call, Nanoseconds left_ns) {
  net::HttpCall post = make_post(call, "/ebb.picker.v1.PodPicker/Pick");
  post.headers.emplace_back("Content-Type", "application/grpc");
  post.headers.emplace_back("TE", "trailers");
  post.headers.emplace_back("Grpc-Accept-Encoding", "identity");
  post.headers.emplace_back("Grpc-Timeout",
                            fmt::format("{}m", std::max<Nanoseconds>(left_ns / kMillisecond, 1)));
  post.body = framed(*call.body);
  post.max_bytes = picker::kMaxAnswerBytes + kPrefixBytes;
  post.only_http2 = true;
  post.alone = post.alone || !call.settings->tls;
  return post;
}

Reply read_grpc_reply(const net::HttpReply& reply) {
  if (reply.version != 0 && reply.version != 20) {
    return malformed("the server does not speak HTTP/2");
  }
  if (reply.code >= 300) {
    return status(reply.grpc_status.value_or(code_of_http(reply.code)), reply);
  }
  if (auto failure = read_failure(reply)) return std::move(*failure);
  if (!is_grpc(reply.content_type)) return malformed("the server does not speak gRPC");
  if (!reply.grpc_status) return malformed("the answer has no status");
  if (*reply.grpc_status != kOk) return status(*reply.grpc_status, reply);
  return read_message(reply.body);
}

}  // namespace ebb::picker_client
