// Webhook questions as HTTPS calls, and the messages of failures.
#include "cluster/server/webhook_call.h"

#include <gtest/gtest.h>

namespace ebb::cluster {
namespace {

using apiserver::WebhookAnswer;
using apiserver::WebhookQuestion;
using net::HttpReply;

TEST(WebhookCall, GoesWhereTheQuestionSays) {
  struct Case {
    std::string url;
    std::string address;
    std::string dialled;      // the URL of the call
    std::string server_name;  // expected in the certificate, if not the URL's host
    bool fixed = false;       // the address is fixed, whatever the name resolves to
  };
  const Case cases[] = {
      {"https://127.0.0.1:9/x?timeout=1s", "", "https://127.0.0.1:9/x?timeout=1s", ""},
      {"https://hook.a.svc:443/?timeout=1s", "127.0.0.1", "https://hook.a.svc:443/?timeout=1s", "",
       true},
      {"https://hook.a.svc:8443/x?timeout=1s", "localhost", "https://localhost:8443/x?timeout=1s",
       "hook.a.svc"},
  };
  for (const Case& one : cases) {
    const net::HttpCall call = make_webhook_call(
        {.url = one.url, .address = one.address, .ca_bundle = "PEM", .review = "{}"}, 5);
    EXPECT_EQ(call.method, "POST");
    EXPECT_EQ(call.url, one.dialled);
    EXPECT_EQ(call.address.has_value(), one.fixed);
    EXPECT_EQ(call.tls->ca_pem, "PEM");
    EXPECT_EQ(call.tls->server_name, one.server_name);
    EXPECT_EQ(call.body, "{}");
    EXPECT_EQ(call.total_ns, 5);
    EXPECT_GT(call.max_bytes, 0U);
  }
}

TEST(WebhookCall, ReportsFailuresAsGoDoes) {
  using Reason = HttpReply::Reason;
  struct Case {
    std::string url;
    Reason reason;
    std::string plain;
    std::string expected;
  };
  const Case cases[] = {
      {"https://127.0.0.1:9/x?timeout=1s", Reason::kTimeout, "", "context deadline exceeded"},
      {"https://127.0.0.1:9/x?timeout=1s", Reason::kNoConnection, "",
       "dial tcp 127.0.0.1:9: connect: connection refused"},
      {"https://127.0.0.1?timeout=1s", Reason::kNoConnection, "",
       "dial tcp 127.0.0.1:443: connect: connection refused"},
      {"https://[::1]:9/?timeout=1s", Reason::kNoConnection, "",
       "dial tcp [::1]:9: connect: connection refused"},
      {"https://hook.test/?timeout=1s", Reason::kNoConnection, "", "dial tcp: details"},
      {"https://127.0.0.1/", Reason::kUntrusted, "x: unable to get local issuer certificate",
       "tls: failed to verify certificate: x509: certificate signed by unknown authority"},
      {"https://127.0.0.1/", Reason::kUntrusted, "x",
       "tls: failed to verify certificate: x509: details"},
      {"https://127.0.0.1/", Reason::kTooLong, "the head is longer than 65536 bytes",
       "the head is longer than 65536 bytes"},
      {"https://127.0.0.1/", Reason::kLost, "", "EOF"},
      {"https://127.0.0.1/", Reason::kNonsense, "", "details"},
  };
  for (const Case& one : cases) {
    HttpReply reply;
    reply.failure = HttpReply::Failure::kBroken;
    reply.reason = one.reason;
    reply.error = "details";
    reply.plain_error = one.plain;
    const WebhookAnswer answer = read_webhook_reply({.url = one.url}, std::move(reply));
    EXPECT_EQ(answer.error, one.expected) << one.url;
  }
}

TEST(WebhookCall, HandsAnswersOn) {
  HttpReply reply;
  reply.code = 404;
  reply.body = "what?";
  const WebhookAnswer answer = read_webhook_reply({}, std::move(reply));
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(answer.code, 404);
  EXPECT_EQ(answer.body, "what?");
}

}  // namespace
}  // namespace ebb::cluster
