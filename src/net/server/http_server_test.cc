// A real server on a real socket. Timeouts are shortened so that tests can wait for them; they
// are never measured.
#include "net/server/http_server.h"

#include <atomic>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/net/http_client.h"
#include "support/net/http_server_scene.h"

namespace ebb::net {
namespace {

using support::Exchange;
using support::HttpAnswer;
using support::HttpClient;
using support::Signal;

using Milliseconds = std::chrono::milliseconds;

class HttpServerTest : public support::HttpServerScene {};

TEST_F(HttpServerTest, KnowsThePeersAddressAndTheHostThatWasAskedFor) {
  handler.answer = [](const Exchange& exchange) {
    const HttpRequest& request = exchange->request();
    exchange->respond({}, Bytes(to_string(request.peer) + " " + request.host));
  };
  // A socket for both families sees IPv4 addresses inside of IPv6 ones.
  for (const char* address : {"127.0.0.1", "0.0.0.0", "::"}) {
    settings.address = address;
    start();
    HttpClient client(port(), "", "", "127.0.0.9");
    EXPECT_EQ(client.ask("GET", "/").body, "127.0.0.9 localhost") << address;
    server.reset();
  }
}

TEST_F(HttpServerTest, AnswersManyRequestsOnOneConnection) {
  start();
  HttpClient client(port());
  for (int i = 0; i < 50; ++i) {
    const HttpAnswer answer = client.ask("POST", fmt::format("/a?n={}", i), "hello");
    ASSERT_EQ(answer.code, 200);
    EXPECT_EQ(answer.body, fmt::format("POST /a n={} hello", i));
  }
}

TEST_F(HttpServerTest, ServesTlsToClientsThatTrustItsAuthority) {
  const auto authority = make_authority("test");
  ASSERT_TRUE(authority);
  const auto pair = issue_server_certificate(*authority, {"127.0.0.1", "localhost"});
  ASSERT_TRUE(pair);
  settings.tls = *pair;
  start();
  for (const char* host : {"127.0.0.1", "localhost"}) {
    HttpClient client(port(), authority->certificate_pem, host);
    ASSERT_TRUE(client.connected()) << host;
    EXPECT_EQ(client.protocol(), "http/1.1");
    EXPECT_EQ(client.ask("GET", "/a").body, "GET /a  ");
    EXPECT_EQ(client.ask("GET", "/b").body, "GET /b  ");
  }
  EXPECT_FALSE(HttpClient(port(), authority->certificate_pem, "elsewhere").connected());
  const auto stranger = make_authority("stranger");
  ASSERT_TRUE(stranger);
  EXPECT_FALSE(HttpClient(port(), stranger->certificate_pem).connected());
}

TEST_F(HttpServerTest, ServesAReplacedCertificateToNewConnections) {
  const auto old_authority = make_authority("old");
  const auto new_authority = make_authority("new");
  ASSERT_TRUE(old_authority && new_authority);
  settings.tls = *issue_server_certificate(*old_authority, {"127.0.0.1"});
  start();
  HttpClient before(port(), old_authority->certificate_pem);
  ASSERT_TRUE(before.connected());
  EXPECT_FALSE(server->replace_certificate({"nonsense", "nonsense"}));
  EXPECT_TRUE(HttpClient(port(), old_authority->certificate_pem).connected());
  ASSERT_TRUE(
      server->replace_certificate(*issue_server_certificate(*new_authority, {"127.0.0.1"})));
  EXPECT_FALSE(HttpClient(port(), old_authority->certificate_pem).connected());
  HttpClient after(port(), new_authority->certificate_pem);
  ASSERT_TRUE(after.connected());
  EXPECT_EQ(after.ask("GET", "/a").body, "GET /a  ");
  EXPECT_EQ(before.ask("GET", "/b").body, "GET /b  ");
}

TEST_F(HttpServerTest, SendsLargeAnswersOfManySegments) {
  const auto authority = make_authority("test");
  ASSERT_TRUE(authority);
  const auto pair = issue_server_certificate(*authority, {"127.0.0.1"});
  ASSERT_TRUE(pair);
  settings.tls = *pair;
  std::string expected;
  Bytes body;
  for (int i = 0; i < 20'000; ++i) {
    const std::string part =
        fmt::format("{{\"item\": {}}}{}", i, std::string(static_cast<std::size_t>(i) % 300, ' '));
    expected += part + ",";
    body.append(part);
    body.append_static(",");
  }
  expected += std::string(300'000, 'x');
  body.append(std::string(300'000, 'x'));
  handler.answer = [&](const Exchange& exchange) { exchange->respond({}, body); };
  start();
  HttpClient client(port(), authority->certificate_pem);
  EXPECT_EQ(client.ask("GET", "/").body, expected);
  EXPECT_EQ(client.ask("GET", "/").body, expected);
}

TEST_F(HttpServerTest, StreamsFromAnyThread) {
  std::thread writer;
  handler.answer = [&](Exchange exchange) {
    if (writer.joinable()) return exchange->respond({}, Bytes("next"));
    writer = std::thread([exchange = std::move(exchange)] {
      exchange->begin({.headers = {{"Content-Type", "text/plain"}}});
      for (int i = 0; i < 100; ++i) {
        Signal written;
        Bytes bytes(fmt::format("event {}", i));
        bytes.append_static("\n");
        exchange->write(bytes, [&](bool ok) {
          EXPECT_TRUE(ok);
          written.set();
        });
        ASSERT_TRUE(written.wait());
      }
      exchange->end();
    });
  };
  start();
  HttpClient client(port());
  client.send_request("GET", "/watch");
  EXPECT_EQ(client.receive_head().headers.at("transfer-encoding"), "chunked");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.receive_chunk(), fmt::format("event {}\n", i));
  EXPECT_EQ(client.receive_chunk(), std::nullopt);
  EXPECT_EQ(client.ask("GET", "/").body, "next");
  writer.join();
}

TEST_F(HttpServerTest, EndsAStreamOfOldHttpWithTheConnection) {
  handler.answer = [](const Exchange& exchange) {
    exchange->begin({});
    exchange->write(Bytes("all"), [exchange](bool) { exchange->end(); });
  };
  start();
  HttpClient client(port());
  client.send("GET / HTTP/1.0\r\n\r\n");
  const HttpAnswer head = client.receive_head();
  EXPECT_FALSE(head.headers.contains("transfer-encoding"));
  EXPECT_EQ(head.headers.at("connection"), "close");
}

TEST_F(HttpServerTest, AnswersHeadWithoutABody) {
  start();
  HttpClient client(port());
  client.send_request("HEAD", "/a");
  const HttpAnswer answer = client.receive(true);
  EXPECT_EQ(answer.headers.at("content-length"), "9");
  EXPECT_EQ(client.ask("GET", "/b").body, "GET /b  ");
}

TEST_F(HttpServerTest, ReadsChunkedBodies) {
  start();
  HttpClient client(port());
  client.send("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  client.send("6\r\n world\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().body, "POST /a  hello world");
}

TEST_F(HttpServerTest, AnswersRequestsThatComeBeforeTheirTurn) {
  start();
  HttpClient client(port());
  client.send(
      "GET /a HTTP/1.1\r\n\r\nPOST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiGET /c "
      "HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client.receive().body, "GET /a  ");
  EXPECT_EQ(client.receive().body, "POST /b  hi");
  EXPECT_EQ(client.receive().body, "GET /c  ");
}

TEST_F(HttpServerTest, LetsAClientThatAsksGoOn) {
  start();
  HttpClient client(port());
  client.send("POST /a HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.receive_head().code, 100);
  client.send("hello");
  EXPECT_EQ(client.receive().body, "POST /a  hello");
  EXPECT_EQ(client.ask("GET", "/b").body, "GET /b  ");
}

TEST_F(HttpServerTest, LeavesItToTheHandlerToRefuseABody) {
  start();
  HttpClient unwanted(port());
  unwanted.send("POST /unwanted HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(unwanted.receive().code, 401);
  EXPECT_TRUE(unwanted.is_closed_by_server());

  // The client sends all of it before it looks at the answer, which has to be there.
  HttpClient large(port());
  EXPECT_TRUE(large.send_request("POST", "/large", std::string(4UL << 20, 'x')));
  const HttpAnswer answer = large.receive();
  EXPECT_EQ(answer.code, 413);
  EXPECT_EQ(answer.body, "too large");
  EXPECT_EQ(answer.headers.at("connection"), "close");
}

TEST_F(HttpServerTest, RefusesInvalidRequests) {
  start();
  HttpClient nonsense(port());
  nonsense.send("nonsense\r\n\r\n");
  EXPECT_EQ(nonsense.receive().code, 400);
  HttpClient headers(port());
  headers.send("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n");
  EXPECT_EQ(headers.receive().code, 431);
}

TEST_F(HttpServerTest, CutsOffAClientThatDoesNotFinishItsHead) {
  settings.head_time = Milliseconds(50);
  start();
  HttpClient silent(port());
  EXPECT_TRUE(silent.is_closed_by_server());
  HttpClient slow(port());
  slow.send("GET / HTTP/1.1\r\nHost:");
  EXPECT_TRUE(slow.is_closed_by_server());
}

TEST_F(HttpServerTest, CutsOffAClientThatDoesNotFinishItsBody) {
  settings.body_time = Milliseconds(50);
  start();
  HttpClient client(port());
  client.send("POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhello");
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, CutsOffAnIdleClient) {
  settings.idle_time = Milliseconds(50);
  start();
  HttpClient client(port());
  EXPECT_EQ(client.ask("GET", "/").code, 200);
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, CutsOffAClientThatDoesNotTakeItsAnswer) {
  settings.write_time = Milliseconds(100);
  Signal over;
  handler.answer = [&](const Exchange& exchange) {
    exchange->on_over([&] { over.set(); });
    exchange->respond({}, Bytes(std::string(64UL << 20, 'x')));
  };
  start();
  HttpClient client(port());
  client.send_request("GET", "/");
  EXPECT_TRUE(over.wait());
  EXPECT_EQ(client.receive().body, "cut off");
}

TEST_F(HttpServerTest, CutsOffAWatcherThatStalls) {
  settings.write_time = Milliseconds(100);
  Signal failed;
  std::atomic<int> writes = 0;
  std::function<void(Exchange)> write_on = [&](const Exchange& exchange) {
    exchange->write(Bytes(std::string(1UL << 20, 'x')), [&, exchange](bool ok) {
      ++writes;
      if (ok) return write_on(exchange);
      failed.set();
    });
  };
  handler.answer = [&](const Exchange& exchange) {
    exchange->begin({});
    write_on(exchange);
  };
  start();
  HttpClient::use_small_buffers(true);
  HttpClient client(port());
  HttpClient::use_small_buffers(false);
  client.send_request("GET", "/");
  EXPECT_TRUE(failed.wait());
  EXPECT_GT(writes, 0);
  server->stop();
}

TEST_F(HttpServerTest, NoticesThatTheClientHasGone) {
  Signal begun;
  Signal over;
  Exchange kept;
  handler.answer = [&](Exchange exchange) {
    exchange->on_over([&] { over.set(); });
    exchange->begin({});
    kept = std::move(exchange);
    begun.set();
  };
  start();
  {
    HttpClient client(port());
    client.send_request("GET", "/");
    ASSERT_TRUE(begun.wait());
    EXPECT_FALSE(over.is_set());
  }
  EXPECT_TRUE(over.wait());
  Signal refused;
  kept->write(Bytes("x"), [&](bool ok) {
    EXPECT_FALSE(ok);
    refused.set();
  });
  EXPECT_TRUE(refused.wait());
}

TEST_F(HttpServerTest, AnswersForAHandlerThatDropsARequest) {
  handler.answer = [](const Exchange& exchange) { EXPECT_EQ(exchange->request().path, "/"); };
  start();
  HttpClient client(port());
  EXPECT_EQ(client.ask("GET", "/").code, 500);
}

TEST_F(HttpServerTest, BreaksAStreamThatItsHandlerDrops) {
  handler.answer = [](const Exchange& exchange) {
    exchange->begin({});
    exchange->write(Bytes("x"), [exchange](bool) {});
  };
  start();
  HttpClient client(port());
  client.send_request("GET", "/");
  EXPECT_EQ(client.receive_head().code, 200);
  EXPECT_EQ(client.receive_chunk(), "x");
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, StopsInGoodOrder) {
  Signal asked;
  Signal over;
  Exchange kept;
  handler.answer = [&](Exchange exchange) {
    if (exchange->request().path == "/quick") return exchange->respond({}, Bytes("quick"));
    if (exchange->request().path == "/watch") {
      exchange->on_over([&] { over.set(); });
      exchange->begin({});
    }
    kept = std::move(exchange);
    asked.set();
  };
  start();
  const std::uint16_t where = port();
  HttpClient idle(where);
  EXPECT_EQ(idle.ask("GET", "/quick").body, "quick");
  HttpClient watcher(where);
  watcher.send_request("GET", "/watch");
  EXPECT_EQ(watcher.receive_head().code, 200);
  ASSERT_TRUE(asked.wait());
  const Exchange stream = kept;

  Signal stopped;
  std::thread stopping([&] {
    server->stop();
    stopped.set();
  });
  EXPECT_TRUE(idle.is_closed_by_server());
  EXPECT_EQ(watcher.receive_chunk(), std::nullopt);  // the stream ends as streams do
  EXPECT_TRUE(watcher.is_closed_by_server());
  EXPECT_TRUE(over.wait());
  EXPECT_TRUE(stopped.wait());
  stopping.join();
  EXPECT_FALSE(HttpClient(where).connected());
}

TEST_F(HttpServerTest, LetsAnAnswerFinishWhenItStops) {
  settings.stop_time = Milliseconds(30'000);
  Signal asked;
  Exchange kept;
  handler.answer = [&](Exchange exchange) {
    kept = std::move(exchange);
    asked.set();
  };
  start();
  HttpClient client(port());
  client.send_request("GET", "/");
  ASSERT_TRUE(asked.wait());
  std::thread stopping([&] { server->stop(); });
  kept->respond({}, Bytes("still answered"));
  EXPECT_EQ(client.receive().body, "still answered");
  stopping.join();
}

TEST_F(HttpServerTest, CutsOffWhatDoesNotFinishWhenItStops) {
  settings.stop_time = Milliseconds(50);
  Signal asked;
  Signal over;
  Exchange kept;
  handler.answer = [&](Exchange exchange) {
    exchange->on_over([&] { over.set(); });
    kept = std::move(exchange);
    asked.set();
  };
  start();
  HttpClient client(port());
  client.send_request("GET", "/");
  ASSERT_TRUE(asked.wait());
  server.reset();
  EXPECT_TRUE(over.is_set());
  EXPECT_TRUE(client.is_closed_by_server());
  kept->respond({}, Bytes("too late"));  // and harmless
}

TEST_F(HttpServerTest, SaysWhenItCannotListen) {
  start();
  settings.port = port();
  const auto second = HttpServer::start(settings, handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            fmt::format("cannot listen on 127.0.0.1:{}: the port is in use", port()));
  settings.address = "nowhere";
  const auto third = HttpServer::start(settings, handler);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().message, "cannot listen on \"nowhere\": not an IP address");
}

TEST_F(HttpServerTest, ServesManyClientsAtOnce) {
  const auto authority = make_authority("test");
  ASSERT_TRUE(authority);
  const auto pair = issue_server_certificate(*authority, {"127.0.0.1"});
  ASSERT_TRUE(pair);
  settings.tls = *pair;
  start();
  std::vector<std::thread> clients;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      HttpClient client(port(), authority->certificate_pem);
      for (int j = 0; j < 50; ++j) {
        const std::string body(static_cast<std::size_t>(i * j * 37), 'x');
        if (client.ask("POST", "/p", body).body == "POST /p  " + body) ++right;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 8 * 50);
}

}  // namespace
}  // namespace ebb::net
