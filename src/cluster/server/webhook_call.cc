#include "cluster/server/webhook_call.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "net/address/ip_address.h"

namespace ebb::cluster {
namespace {

using apiserver::WebhookAnswer;
using apiserver::WebhookQuestion;
using Reason = net::HttpReply::Reason;

// Enough for a patch of the largest possible object.
constexpr std::size_t kMaxAnswerBytes = 16UL << 20U;
constexpr std::size_t kMaxHeadBytes = 64UL << 10U;

// The position of host and port in a validated URL: https://HOST/...
struct Span {
  std::size_t begin = 0;
  std::size_t size = 0;
};
Span authority_of(std::string_view url) {
  const std::size_t begin = url.find("://") + 3;
  const std::size_t end = url.find_first_of("/?", begin);
  return {begin, (end == std::string_view::npos ? url.size() : end) - begin};
}

// Without port and brackets.
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  return authority.substr(0, authority.rfind(':'));
}

std::string port_of(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos;
  return has_port ? std::string(authority.substr(colon + 1)) : "443";
}

std::string no_connection(std::string_view url, const net::HttpReply& reply) {
  const Span span = authority_of(url);
  const std::string_view authority = url.substr(span.begin, span.size);
  const std::string_view host = host_of(authority);
  const auto ip = net::parse_ip(host);
  // On loopback there is no other reason for this failure.
  if (ip && net::is_loopback(*ip)) {
    return fmt::format("dial tcp {}:{}: connect: connection refused",
                       ip->v4 ? std::string(host) : fmt::format("[{}]", host), port_of(authority));
  }
  return fmt::format("dial tcp: {}", reply.error);
}

std::string untrusted(const net::HttpReply& reply) {
  const bool is_unknown = reply.plain_error.find("issuer") != std::string::npos ||
                          reply.plain_error.find("self-signed") != std::string::npos ||
                          reply.plain_error.find("self signed") != std::string::npos;
  return fmt::format("tls: failed to verify certificate: x509: {}",
                     is_unknown ? "certificate signed by unknown authority" : reply.error.c_str());
}

std::string words_for(std::string_view url, const net::HttpReply& reply) {
  switch (reply.reason) {
    case Reason::kTimeout:
      return "context deadline exceeded";
    case Reason::kNoConnection:
      return no_connection(url, reply);
    case Reason::kUntrusted:
      return untrusted(reply);
    case Reason::kTooLong:
      return reply.plain_error;  // it names the part of the response and the limit
    case Reason::kLost:
      return "EOF";
    default:
      return reply.error.empty() ? "no answer" : reply.error;
  }
}

}  // namespace

net::HttpCall make_webhook_call(const WebhookQuestion& question, Nanoseconds left_ns) {
  net::HttpClientTls tls{.ca_pem = question.ca_bundle};
  net::HttpCall call{.method = "POST", .url = question.url};
  call.headers.emplace_back("Content-Type", "application/json");
  call.headers.emplace_back("Accept", "application/json, */*");
  call.headers.emplace_back("User-Agent", "ebb-admission");
  call.body = question.review;
  call.total_ns = left_ns;
  call.connect_ns = left_ns;
  call.max_bytes = kMaxAnswerBytes;
  call.max_head_bytes = kMaxHeadBytes;
  // Webhooks must not have side effects, so they may be called twice.
  call.idempotent = true;
  if (!question.address.empty()) {
    if (auto address = net::parse_ip(question.address)) {
      call.address = *address;
    } else {
      // Connects to the host of the service, but expects the service's certificate.
      const Span span = authority_of(question.url);
      const std::string authority = question.url.substr(span.begin, span.size);
      tls.server_name = host_of(authority);
      call.url.replace(span.begin, span.size,
                       fmt::format("{}:{}", question.address, port_of(authority)));
    }
  }
  call.tls = std::make_shared<const net::HttpClientTls>(std::move(tls));
  return call;
}

WebhookAnswer read_webhook_reply(const WebhookQuestion& question, net::HttpReply reply) {
  if (reply.failure == net::HttpReply::Failure::kNone) {
    return {.code = reply.code,
            .content_type = std::move(reply.content_type),
            .body = std::move(reply.body)};
  }
  return {.error = words_for(question.url, reply)};
}

WebhookAnswer out_of_time() { return {.error = "context deadline exceeded"}; }

}  // namespace ebb::cluster
