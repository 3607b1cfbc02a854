// The client with servers that misbehave: every call must end, and the result must say whether
// the request may have been executed.
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/client/curl_loop.h"
#include "net/client/http_client.h"
#include "net/tls/certificate.h"
#include "support/net/raw_server.h"

namespace ebb::net {
namespace {

using Failure = HttpReply::Failure;
using support::RawConnection;
using support::RawServer;

constexpr Nanoseconds kPatience = 30 * kNanosecondsPerSecond;

// Runs each test twice: with curl's own HTTP, and with raw connections.
class HttpClientFaultsTest : public ::testing::TestWithParam<bool> {
 protected:
  HttpReply ask(HttpCall call) {
    std::optional<HttpReply> answer;
    client.send(std::move(call), [&](HttpReply reply) { answer = std::move(reply); });
    return wait(answer);
  }
  HttpReply wait(std::optional<HttpReply>& answer) {
    const Nanoseconds until_ns = steady_now_ns() + kPatience;
    while (!answer && steady_now_ns() < until_ns) client.poll(kNanosecondsPerSecond / 10);
    if (!answer) return {.error = "the test ran out of patience"};
    return std::move(*answer);
  }

  HttpClient client{{.http1_connections = GetParam()}};
};

TEST_P(HttpClientFaultsTest, ReportsNotSentIfNoServerListens) {
  std::string url;
  {
    const RawServer gone([](RawConnection&, int) {});
    url = gone.url();
  }
  const HttpReply reply = ask({.method = "POST", .url = url, .body = "x"});
  EXPECT_EQ(reply.failure, Failure::kNotSent);
  EXPECT_NE(reply.error, "");
  EXPECT_EQ(ask({.url = "https://no.such.host.invalid/"}).failure, Failure::kNotSent);
  EXPECT_EQ(ask({.url = "ftp://127.0.0.1/"}).failure, Failure::kNotSent);
  EXPECT_EQ(ask({.url = "file:///etc/passwd"}).failure, Failure::kNotSent);
  EXPECT_EQ(ask({.url = ""}).failure, Failure::kNotSent);
}

TEST_P(HttpClientFaultsTest, SendsNothingToAnUntrustedServer) {
  const auto authority = make_authority("test");
  const auto stranger = make_authority("stranger");
  ASSERT_TRUE(authority && stranger);
  const auto right = issue_server_certificate(*authority, {"127.0.0.1"});
  const auto wrong_name = issue_server_certificate(*authority, {"elsewhere"});
  ASSERT_TRUE(right && wrong_name);
  struct Row {
    const char* name;
    std::string certificate;
    std::string key;
    std::string ca;
  };
  const Row rows[] = {
      {"a stranger's", right->certificate_pem, right->key_pem, stranger->certificate_pem},
      {"unknown to the system", right->certificate_pem, right->key_pem, ""},
      {"another name", wrong_name->certificate_pem, wrong_name->key_pem,
       authority->certificate_pem},
      {"expired", support::expired(right->certificate_pem, authority->key_pem), right->key_pem,
       authority->certificate_pem},
      {"no authority", right->certificate_pem, right->key_pem, "this is no certificate"},
  };
  for (const Row& row : rows) {
    std::atomic<int> requests = 0;
    RawServer server(
        [&](RawConnection& connection, int) {
          while (connection.read_request()) {
            ++requests;
            connection.answer(200, "");
          }
        },
        support::RawTls{row.certificate, row.key});
    auto tls = std::make_shared<HttpClientTls>(HttpClientTls{.ca_pem = row.ca});
    const HttpReply reply = ask({.method = "POST", .url = server.url(), .body = "x", .tls = tls});
    EXPECT_EQ(reply.failure, Failure::kNotSent) << row.name;
    EXPECT_EQ(requests, 0) << row.name;
    // Verification can be turned off.
    tls = std::make_shared<HttpClientTls>(HttpClientTls{.insecure = true});
    EXPECT_EQ(ask({.url = server.url(), .tls = tls}).code, 200) << row.name;
  }
}

TEST_P(HttpClientFaultsTest, SaysThatARequestWithoutAnAnswerMayHaveBeenCarriedOut) {
  RawServer server([](RawConnection& connection, int) { (void)connection.read_request(); });
  for (const char* method : {"GET", "POST", "DELETE"}) {
    EXPECT_EQ(ask({.method = method, .url = server.url()}).failure, Failure::kBroken) << method;
  }
}

// Curl by itself would send it again, on a fresh connection.
TEST_P(HttpClientFaultsTest, NeverSendsAChangeTwice) {
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "GET"}) {
    for (const std::size_t size : {0UL, 2UL, 100'000UL}) {
      std::atomic<int> requests = 0;
      RawServer server([&](RawConnection& connection, int) {
        if (!connection.read_request()) return;
        connection.answer(200, "first");
        // The server reads the second request on the kept connection and does not answer.
        if (connection.read_request()) ++requests;
      });
      ASSERT_EQ(ask({.url = server.url()}).body, "first");
      const HttpReply reply =
          ask({.method = method, .url = server.url(), .body = std::string(size, 'x')});
      const bool change = std::string_view(method) != "GET";
      EXPECT_EQ(requests, 1) << method << " " << size;
      EXPECT_EQ(reply.failure, change ? Failure::kBroken : Failure::kNone)
          << method << " " << size << " " << reply.error;
      EXPECT_EQ(reply.body, change ? "" : "first");
    }
  }
}

TEST_P(HttpClientFaultsTest, UsesAFreshConnectionWhereTheKeptOneWasClosed) {
  std::atomic<int> closed = 0;
  RawServer server([&](RawConnection& connection, int) {
    if (!connection.read_request()) return;
    connection.answer(200, "once");
    connection.close();
    ++closed;
  });
  for (int i = 0; i < 5; ++i) {
    const HttpReply reply = ask({.method = "POST", .url = server.url(), .body = "x"});
    ASSERT_EQ(reply.failure, Failure::kNone) << reply.error;
    while (closed <= i) client.poll(kMillisecond);
  }
}

TEST_P(HttpClientFaultsTest, GivesUpWhenTheTimeIsOver) {
  RawServer server([](RawConnection& connection, int) {
    (void)connection.read_request();
    (void)connection.is_closed_by_client();
  });
  const HttpReply reply = ask({.url = server.url(), .total_ns = 50 * kMillisecond});
  EXPECT_EQ(reply.failure, Failure::kBroken);
  EXPECT_NE(reply.error.find("timed out"), std::string::npos) << reply.error;
}

// The request is in the buffers of the client's system when the time is over. As after a partition,
// the server reads later.
TEST(HttpClientLateWrites, AreNotDeliveredByTheSystemAfterwards) {
  std::atomic<bool> given_up = false;
  std::atomic<bool> over = false;
  std::atomic<bool> arrived = false;
  const RawServer raw([&](RawConnection& connection, int) {
    while (!given_up) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    arrived = connection.read_request().has_value();
    over = true;
  });
  HttpClient client{{.http1_connections = true}};
  client.send({.method = "POST",
               .url = raw.url(),
               .body = std::string(400'000, 'x'),
               .total_ns = 300 * kMillisecond},
              [&](const HttpReply& reply) {
                EXPECT_EQ(reply.failure, Failure::kBroken);
                given_up = true;
              });
  while (!over) client.poll(10 * kMillisecond);
  EXPECT_FALSE(arrived);
}

TEST_P(HttpClientFaultsTest, KnowsThatAHandshakeWhichNeverEndsSentNothing) {
  // It listens but sends nothing, so the TLS handshake does not start.
  RawServer server([](RawConnection& connection, int) { (void)connection.is_closed_by_client(); });
  const HttpReply reply = ask({.method = "POST",
                               .url = fmt::format("https://127.0.0.1:{}/", server.port()),
                               .connect_ns = 50 * kMillisecond});
  EXPECT_EQ(reply.failure, Failure::kNotSent);
}

TEST_P(HttpClientFaultsTest, NoticesAStreamThatHasFallenSilent) {
  RawServer server([](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nitem\r\n");
    (void)connection.is_closed_by_client();
  });
  std::string pieces;
  std::optional<HttpReply> answer;
  client.stream(
      {.url = server.url(), .silence_ns = 100 * kMillisecond},
      [&](std::string_view piece) { pieces += piece; },
      [&](HttpReply reply) { answer = std::move(reply); });
  const HttpReply reply = wait(answer);
  EXPECT_EQ(pieces, "item");
  EXPECT_EQ(reply.failure, Failure::kBroken);
  EXPECT_NE(reply.error.find("no data received"), std::string::npos) << reply.error;
}

TEST_P(HttpClientFaultsTest, TakesAnAnswerByteByByte) {
  RawServer server([](RawConnection& connection, int) {
    while (connection.read_request()) {
      for (const char c : std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")) {
        connection.write(std::string_view(&c, 1));
      }
    }
  });
  // Each byte is a sign of life.
  const HttpReply reply = ask({.url = server.url(), .silence_ns = 10 * kNanosecondsPerSecond});
  EXPECT_EQ(reply.body, "hello") << reply.error;
}

TEST_P(HttpClientFaultsTest, RefusesAnswersThatAreBrokenOrTooLong) {
  struct Row {
    const char* answer;
    const char* why;
  };
  for (const Row& row : {
           Row{"this is not HTTP\r\n\r\n", "no HTTP"},
           Row{"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort", "cut off"},
           Row{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "no chunk"},
           Row{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nitem\r\n", "no end"},
           Row{"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n"
               "0123456789012345678901234567890123456789012345678901234567890",
               "too long"},
       }) {
    RawServer server([&](RawConnection& connection, int) {
      (void)connection.read_request();
      connection.write(row.answer);
    });
    EXPECT_EQ(ask({.url = server.url(), .max_bytes = 50}).failure, Failure::kBroken) << row.why;
  }
}

TEST_P(HttpClientFaultsTest, OutlivesAServerThatStopsReading) {
  // SIGPIPE would end the test program.
  RawServer server([](RawConnection& connection, int) { connection.close(); });
  for (int i = 0; i < 10; ++i) {
    const HttpReply reply = ask({.method = "POST",
                                 .url = server.url(),
                                 .body = std::string(4UL << 20, 'x'),
                                 .total_ns = kPatience});
    EXPECT_NE(reply.failure, Failure::kNone);
  }
}

TEST_P(HttpClientFaultsTest, ReportsNotSentIfNoConnectionBecomesFreeInTime) {
  HttpClient one(
      {.connections_per_host = 1, .patience_ns = kPatience, .http1_connections = GetParam()});
  RawServer server([](RawConnection& connection, int) {
    (void)connection.read_request();
    (void)connection.is_closed_by_client();
  });
  one.send({.url = server.url()}, [](const HttpReply&) { FAIL(); });
  std::optional<HttpReply> answer;
  one.send({.method = "POST", .url = server.url(), .total_ns = 50 * kMillisecond},
           [&](HttpReply reply) { answer = std::move(reply); });
  const Nanoseconds until_ns = steady_now_ns() + kPatience;
  while (!answer && steady_now_ns() < until_ns) one.poll(kNanosecondsPerSecond);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->failure, Failure::kNotSent);
}

INSTANTIATE_TEST_SUITE_P(Both, HttpClientFaultsTest, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "OverLines" : "ThroughCurl"; });

}  // namespace
}  // namespace ebb::net
