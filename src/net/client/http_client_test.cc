// The client with ebb's own server over real sockets, without faults.
#include "net/client/http_client.h"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/client/curl_loop.h"
#include "net/server/http_server.h"
#include "net/tls/certificate.h"
#include "support/net/identities.h"
#include "support/net/raw_server.h"

namespace ebb::net {
namespace {

using Failure = HttpReply::Failure;
using support::RawConnection;
using support::RawServer;

constexpr Nanoseconds kPatience = 30 * kNanosecondsPerSecond;

// Polls until `done` says so.
template <class Condition>
bool poll_until(HttpClient& client, const Condition& done) {
  const Nanoseconds until_ns = steady_now_ns() + kPatience;
  while (!done()) {
    if (steady_now_ns() > until_ns) return false;
    client.poll(kNanosecondsPerSecond / 10);
  }
  return true;
}

HttpReply ask(HttpClient& client, HttpCall call) {
  std::optional<HttpReply> answer;
  client.send(std::move(call), [&](HttpReply reply) { answer = std::move(reply); });
  if (!poll_until(client, [&] { return answer.has_value(); })) {
    return {.failure = Failure::kBroken, .error = "the test ran out of patience"};
  }
  return std::move(*answer);
}

// Echoes the request.
class EchoHandler : public HttpHandler {
 public:
  bool wants_body(const HttpRequest& /*head*/) override { return true; }
  void handle(std::shared_ptr<HttpExchange> exchange) override {
    const HttpRequest& request = exchange->request();
    ++requests;
    exchange->respond(
        {.code = request.path == "/missing" ? 404 : 200,
         .headers = {{"Content-Type", "text/plain"}, {"Warning", "299 - \"careful\""}}},
        Bytes(fmt::format("{} {}?{} type={} auth={} {}", request.method, request.path,
                          request.query, request.content_type, request.authorization,
                          request.body)));
  }

  std::atomic<int> requests = 0;
};

// Runs each test twice: with curl's own HTTP, and with raw connections.
class HttpClientTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    const auto made = make_authority("test");
    ASSERT_TRUE(made);
    authority = *made;
    const auto pair = issue_server_certificate(authority, {"127.0.0.1", "api.test"});
    ASSERT_TRUE(pair);
    pair_ = *pair;
    auto started = HttpServer::start({.tls = *pair}, handler);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
    tls = std::make_shared<HttpClientTls>(HttpClientTls{.ca_pem = authority.certificate_pem});
  }

  [[nodiscard]] HttpCall call(std::string method, std::string_view path,
                              std::string body = "") const {
    return {.method = std::move(method),
            .url = fmt::format("https://127.0.0.1:{}{}", server->port(), path),
            .body = std::move(body),
            .tls = tls,
            .total_ns = kPatience};
  }
  [[nodiscard]] support::RawTls raw_tls(bool ask_for_certificate = false) const {
    return {pair_.certificate_pem, pair_.key_pem, ask_for_certificate};
  }

  KeyPair authority;
  KeyPair pair_;
  EchoHandler handler;
  std::unique_ptr<HttpServer> server;
  std::shared_ptr<HttpClientTls> tls;
  HttpClient client{{.http1_connections = GetParam()}};
};

TEST_P(HttpClientTest, SendsEveryMethodWithItsBodyAndHeaders) {
  for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
    for (const char* body : {"", "{}", "a body"}) {
      HttpCall request = call(method, "/a/b?c=d%20e", body);
      request.headers = {{"Content-Type", "application/x"}, {"Authorization", "Bearer t"}};
      const HttpReply reply = ask(client, std::move(request));
      ASSERT_EQ(reply.failure, Failure::kNone) << reply.error;
      EXPECT_EQ(reply.code, 200);
      EXPECT_EQ(reply.body,
                fmt::format("{} /a/b?c=d%20e type=application/x auth=Bearer t {}", method, body));
      EXPECT_EQ(reply.content_type, "text/plain");
      EXPECT_EQ(reply.warnings, std::vector<std::string>{"careful"});
    }
  }
}

TEST_P(HttpClientTest, AddsNothingThatWasNotAskedFor) {
  std::string seen;
  RawServer raw([&](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      seen = *request;
      connection.answer(200, "");
    }
  });
  // A proxy that does not exist, so that using it would fail.
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  setenv("all_proxy", "http://127.0.0.1:1", 1);
  const HttpReply reply =
      ask(client, {.method = "POST",
                   .url = raw.url("/x"),
                   .headers = {{"Accept", "a/b"}, {"X-One", "1\r\nX-Two: 2"}, {"X-Empty", ""}},
                   .body = std::string(5000, 'x')});
  unsetenv("http_proxy");
  unsetenv("all_proxy");
  ASSERT_EQ(reply.failure, Failure::kNone) << reply.error;
  EXPECT_EQ(seen.substr(0, seen.find("\r\n\r\n")),
            fmt::format("POST /x HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAccept: a/b\r\n"
                        "X-One: 1  X-Two: 2\r\nX-Empty:\r\nContent-Length: 5000",
                        raw.port()));
}

TEST_P(HttpClientTest, SharesNoStateBetweenCallsOnOneHandle) {
  HttpCall first = call("POST", "/1", "body");
  first.headers = {{"Authorization", "Bearer t"}, {"Content-Type", "a/b"}};
  EXPECT_EQ(ask(client, std::move(first)).body, "POST /1? type=a/b auth=Bearer t body");
  EXPECT_EQ(ask(client, call("GET", "/2")).body, "GET /2? type= auth= ");
  EXPECT_EQ(ask(client, call("DELETE", "/3", "x")).body, "DELETE /3? type= auth= x");
  EXPECT_EQ(ask(client, call("DELETE", "/4")).body, "DELETE /4? type= auth= ");
  EXPECT_EQ(ask(client, call("HEAD", "/5")).body, "");
  EXPECT_EQ(ask(client, call("PUT", "/6")).body, "PUT /6? type= auth= ");
}

TEST_P(HttpClientTest, KeepsConnections) {
  RawServer raw(
      [](RawConnection& connection, int) {
        while (connection.read_request()) connection.answer(200, "hello");
      },
      raw_tls());
  for (int i = 0; i < 20; ++i) {
    const HttpReply reply = ask(client, {.method = i % 2 == 0 ? "GET" : "POST",
                                         .url = raw.url(),
                                         .body = i % 2 == 0 ? "" : "x",
                                         .tls = tls});
    ASSERT_EQ(reply.failure, Failure::kNone) << reply.error;
    EXPECT_EQ(reply.body, "hello");
  }
  EXPECT_EQ(raw.connections(), 1);
}

TEST_P(HttpClientTest, DoesNotFollowRedirects) {
  RawServer raw([&](RawConnection& connection, int) {
    while (connection.read_request()) {
      connection.answer(302, "", fmt::format("Location: {}\r\n", call("GET", "/").url));
    }
  });
  EXPECT_EQ(ask(client, {.url = raw.url()}).code, 302);
  EXPECT_EQ(handler.requests, 0);
}

TEST_P(HttpClientTest, StreamsPiecesOfGoodAnswersAndHandsOutOthersWhole) {
  RawServer raw(
      [](RawConnection& connection, int) {
        while (auto request = connection.read_request()) {
          if (request->starts_with("GET /gone")) {
            connection.answer(410, "too old");
            continue;
          }
          connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
          for (int i = 0; i < 100; ++i) connection.write("4\r\nitem\r\n");
          connection.write("0\r\n\r\n");
        }
      },
      raw_tls());
  std::string pieces;
  std::optional<HttpReply> answer;
  const auto take = [&](HttpReply reply) { answer = std::move(reply); };
  const auto gather = [&](std::string_view piece) { pieces += piece; };
  client.stream({.url = raw.url("/items"), .tls = tls}, gather, take);
  ASSERT_TRUE(poll_until(client, [&] { return answer.has_value(); }));
  EXPECT_EQ(answer->failure, Failure::kNone) << answer->error;
  EXPECT_EQ(answer->code, 200);
  EXPECT_EQ(answer->body, "");
  EXPECT_EQ(pieces.size(), 400);

  answer.reset();
  pieces.clear();
  client.stream({.url = raw.url("/gone"), .tls = tls}, gather, take);
  ASSERT_TRUE(poll_until(client, [&] { return answer.has_value(); }));
  EXPECT_EQ(answer->code, 410);
  EXPECT_EQ(answer->body, "too old");
  EXPECT_EQ(pieces, "");
}

TEST_P(HttpClientTest, IsDoneWithThousandsOfCallsOnFewConnections) {
  constexpr int kCalls = 3000;
  std::map<int, int> answered;
  HttpClient few(
      {.connections_per_host = 16, .patience_ns = kPatience, .http1_connections = GetParam()});
  RawServer raw(
      [](RawConnection& connection, int) {
        while (auto request = connection.read_request()) {
          connection.answer(200, request->substr(request->rfind('\n') + 1));
        }
      },
      raw_tls());
  for (int i = 0; i < kCalls; ++i) {
    few.send({.method = "POST", .url = raw.url(), .body = std::to_string(i), .tls = tls},
             [&answered, i](const HttpReply& reply) {
               EXPECT_EQ(reply.body, std::to_string(i)) << reply.error;
               ++answered[i];
             });
  }
  ASSERT_TRUE(poll_until(few, [&] { return few.in_flight() == 0; }));
  EXPECT_EQ(answered.size(), kCalls);
  for (const auto& [call, times] : answered) EXPECT_EQ(times, 1) << call;
  EXPECT_LE(raw.connections(), 16);
}

TEST_P(HttpClientTest, OpensMoreConnectionsRatherThanLetACallWaitForLong) {
  HttpClient one({.connections_per_host = 1,
                  .patience_ns = kNanosecondsPerSecond / 50,
                  .http1_connections = GetParam()});
  RawServer raw([](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      if (request->starts_with("GET /slow")) (void)connection.is_closed_by_client();
      connection.answer(200, "quick");
    }
  });
  one.send({.url = raw.url("/slow")}, [](const HttpReply&) { FAIL(); });
  EXPECT_EQ(ask(one, {.url = raw.url("/quick")}).body, "quick");
  EXPECT_EQ(one.in_flight(), 1);
}

TEST_P(HttpClientTest, GivesStreamsAndUrgentCallsAConnectionWhenOthersUseUpTheirs) {
  HttpClient one(
      {.connections_per_host = 1, .patience_ns = kPatience, .http1_connections = GetParam()});
  RawServer raw([](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      if (request->starts_with("GET /slow")) (void)connection.is_closed_by_client();
      connection.answer(200, "event");
    }
  });
  const auto never = [](const HttpReply&) { FAIL(); };
  one.send({.url = raw.url("/slow")}, never);
  one.send({.url = raw.url("/waits")}, never);
  std::string pieces;
  one.stream(
      {.url = raw.url("/watch")}, [&](std::string_view piece) { pieces += piece; },
      [](const HttpReply&) {});
  EXPECT_TRUE(poll_until(one, [&] { return pieces == "event"; }));
  EXPECT_EQ(ask(one, {.url = raw.url("/lease"), .urgent = true}).body, "event");
}

TEST_P(HttpClientTest, TakesCallsAndCancellationsFromCallbacks) {
  int answered = 0;
  std::vector<HttpClient::Id> ids;
  // The first answer cancels all others that have not been answered, and asks once more.
  for (int i = 0; i < 50; ++i) {
    ids.push_back(client.send(call("GET", "/"), [&](const HttpReply&) {
      ++answered;
      for (const HttpClient::Id id : ids) client.cancel(id);
      client.send(call("GET", "/again"), [&](const HttpReply& reply) {
        EXPECT_TRUE(reply.body.starts_with("GET /again")) << reply.body;
        ++answered;
      });
    }));
  }
  ASSERT_TRUE(poll_until(client, [&] { return client.in_flight() == 0; }));
  EXPECT_EQ(answered, 2);
}

TEST_P(HttpClientTest, EndsAStreamFromItsOwnPiece) {
  RawServer raw([](RawConnection& connection, int) {
    while (connection.read_request()) {
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      while (connection.write("4\r\nitem\r\n")) {
      }
    }
  });
  int pieces = 0;
  HttpClient::Id id = 0;
  bool asked = false;
  id = client.stream(
      {.url = raw.url()},
      [&](std::string_view) {
        ++pieces;
        client.cancel(id);
        client.cancel(id);
        client.send(call("GET", "/"), [&](const HttpReply& reply) { asked = reply.code == 200; });
      },
      [](const HttpReply&) { FAIL() << "a cancelled stream has no end"; });
  ASSERT_TRUE(poll_until(client, [&] { return client.in_flight() == 0; }));
  EXPECT_EQ(pieces, 1);
  EXPECT_TRUE(asked);
}

TEST_P(HttpClientTest, DropsAllCallsWhenItIsDestroyed) {
  RawServer raw([](RawConnection& connection, int) {
    while (connection.read_request()) {
    }
  });
  auto going = std::make_unique<HttpClient>(HttpClient::Settings{.http1_connections = GetParam()});
  const auto never = [](const HttpReply&) { FAIL(); };
  for (int i = 0; i < 20; ++i) {
    going->send({.url = raw.url()}, never);
    going->stream(
        {.url = raw.url()}, [](std::string_view) { FAIL(); }, never);
  }
  for (int i = 0; i < 5; ++i) going->poll(kNanosecondsPerSecond / 1000);
  EXPECT_EQ(going->in_flight(), 40);
  going->send({.url = raw.url()}, never);
  going.reset();
}

TEST_P(HttpClientTest, IsWokenFromAnotherThread) {
  std::atomic<int> polled = 0;
  std::thread waker([&] {
    for (int i = 0; i < 100; ++i) {
      client.wake();
      std::this_thread::yield();
    }
    while (polled == 0) client.wake();
  });
  const Nanoseconds before_ns = steady_now_ns();
  client.poll(kPatience);
  ++polled;
  waker.join();
  EXPECT_LT(steady_now_ns() - before_ns, kPatience);
}

TEST_P(HttpClientTest, ReturnsWhenTheTimeIsOver) {
  const Nanoseconds before_ns = steady_now_ns();
  client.poll(kNanosecondsPerSecond / 100);
  EXPECT_GE(steady_now_ns() - before_ns, kNanosecondsPerSecond / 100);
}

TEST_P(HttpClientTest, ShowsItsCertificateAndKeepsConnectionsApartByIt) {
  const auto one = issue_server_certificate(authority, {"one"});
  const auto two = issue_server_certificate(authority, {"two"});
  ASSERT_TRUE(one && two);
  RawServer raw(
      [](RawConnection& connection, int) {
        while (connection.read_request()) {
          connection.answer(200, connection.client_certificate_pem());
        }
      },
      raw_tls(true));
  for (const KeyPair* pair : {&*one, &*two, &*one}) {
    auto mine = std::make_shared<HttpClientTls>(*tls);
    mine->certificate_pem = pair->certificate_pem;
    mine->key_pem = pair->key_pem;
    EXPECT_EQ(ask(client, {.url = raw.url(), .tls = mine}).body, pair->certificate_pem);
  }
  EXPECT_EQ(ask(client, {.url = raw.url(), .tls = tls}).body, "");
}

// A server must not decide that a handshake takes long: everything runs on one thread.
TEST_P(HttpClientTest, DoesNotAgreeToSlowExchangesOfKeys) {
  const KeyPair pair = support::make_identity(support::KeyKind::kRsa);
  const auto reply_of = [&](const std::string& ciphers, const std::string& groups) {
    RawServer raw(
        [](RawConnection& connection, int) {
          while (connection.read_request()) connection.answer(200, "");
        },
        support::RawTls{.certificate_pem = pair.certificate_pem,
                        .key_pem = pair.key_pem,
                        .ciphers = ciphers,
                        .groups = groups});
    auto trusting = std::make_shared<HttpClientTls>(HttpClientTls{.insecure = true});
    return ask(client, {.url = raw.url(), .tls = trusting, .total_ns = kPatience}).code;
  };
  EXPECT_EQ(reply_of("ECDHE-RSA-AES128-GCM-SHA256", ""), 200);
  EXPECT_EQ(reply_of("DHE-RSA-AES128-GCM-SHA256", ""), 0);
  EXPECT_EQ(reply_of("", "P-384"), 200);
  EXPECT_EQ(reply_of("", "ffdhe8192"), 0);
}

TEST_P(HttpClientTest, DoesNotFollowALongChainOfCertificates) {
  for (const int intermediates : {2, 5, 6}) {
    const support::Chain chain = support::make_chain(intermediates);
    RawServer raw(
        [](RawConnection& connection, int) {
          while (connection.read_request()) connection.answer(200, "");
        },
        support::RawTls{.certificate_pem = chain.server.certificate_pem,
                        .key_pem = chain.server.key_pem,
                        .issuers_pem = fmt::format("{}", fmt::join(chain.issuers_pem, ""))});
    auto trusting =
        std::make_shared<HttpClientTls>(HttpClientTls{.ca_pem = chain.issuers_pem.back()});
    const HttpReply reply = ask(client, {.url = raw.url(), .tls = trusting, .total_ns = kPatience});
    EXPECT_EQ(reply.code, intermediates <= 5 ? 200 : 0) << intermediates << reply.error;
  }
}

TEST_P(HttpClientTest, VerifiesTheConfiguredServerName) {
  RawServer raw(
      [](RawConnection& connection, int) {
        while (auto request = connection.read_request()) {
          const std::size_t host = request->find("Host: ") + 6;
          connection.answer(200, connection.server_name() + " " +
                                     request->substr(host, request->find('\r', host) - host));
        }
      },
      raw_tls());
  auto named = std::make_shared<HttpClientTls>(*tls);
  named->server_name = "api.test";
  // SNI has the name; the Host header has the address, as from Go clients.
  EXPECT_EQ(ask(client, {.url = raw.url("/a?b=c"), .tls = named}).body,
            fmt::format("api.test 127.0.0.1:{}", raw.port()));

  named = std::make_shared<HttpClientTls>(*tls);
  named->server_name = "127.0.0.1";
  // Reached by another name than it has; an address is not sent as SNI.
  EXPECT_EQ(
      ask(client, {.url = fmt::format("https://localhost:{}/", raw.port()), .tls = named}).body,
      fmt::format(" localhost:{}", raw.port()));

  for (const char* wrong : {"api2.test", "127.0.0.2", "::1", "test"}) {
    named = std::make_shared<HttpClientTls>(*tls);
    named->server_name = wrong;
    const HttpReply reply = ask(client, {.url = raw.url(), .tls = named});
    EXPECT_EQ(reply.failure, Failure::kNotSent) << wrong;
  }
}

TEST_P(HttpClientTest, GoesThroughTheProxyThatItIsGiven) {
  std::string asked;
  RawServer proxy([&](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      asked = request->substr(0, request->find('\r'));
      connection.answer(200, "from the proxy");
    }
  });
  setenv("no_proxy", "*", 1);
  const HttpReply reply = ask(client, {.url = "http://api.test/x", .proxy = proxy.url("")});
  unsetenv("no_proxy");
  EXPECT_EQ(reply.body, "from the proxy") << reply.error;
  EXPECT_EQ(asked, "GET http://api.test/x HTTP/1.1");
}

INSTANTIATE_TEST_SUITE_P(Both, HttpClientTest, ::testing::Bool(),
                         [](const auto& with) { return with.param ? "OverLines" : "ThroughCurl"; });

}  // namespace
}  // namespace ebb::net
