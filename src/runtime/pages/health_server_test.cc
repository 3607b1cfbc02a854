#include "runtime/pages/health_server.h"

#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "runtime/host/clock.h"
#include "runtime/pages/loopback_access.h"
#include "support/net/http_client.h"

namespace ebb::runtime {
namespace {

using support::HttpClient;

class HealthServerTest : public ::testing::Test {
 protected:
  void start() {
    auto started =
        HealthServer::start(settings, health, metrics, recent_decisions, std::move(access));
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }

  HealthServerSettings settings;
  HealthServer::AccessPtr access = std::make_unique<LoopbackAccess>();
  Health health;
  Metrics metrics{"x"};
  RecentDecisions recent_decisions;
  std::unique_ptr<HealthServer> server;
};

TEST_F(HealthServerTest, IsReadyOnceReadinessIsSet) {
  start();
  HttpClient client(server->port());
  const auto before = client.ask("GET", "/readyz");
  EXPECT_EQ(before.code, 500);
  EXPECT_EQ(before.body, "[-]synced failed: caches not synced yet\nreadyz check failed\n");
  health.set_ready(true);
  const auto after = client.ask("GET", "/readyz?verbose");
  EXPECT_EQ(after.code, 200);
  EXPECT_EQ(after.body, "ok");
}

TEST_F(HealthServerTest, IsAliveAsLongAsTheLoopTurns) {
  start();
  HttpClient client(server->port());
  for (const char* path : {"/healthz", "/livez"}) EXPECT_EQ(client.ask("GET", path).code, 200);
  health.turned(clock_now().mono);
  EXPECT_EQ(client.ask("GET", "/livez").code, 200);
  health.turned(later_by(clock_now().mono, -kLongestStillnessNs));
  for (const char* path : {"/healthz", "/livez"}) EXPECT_EQ(client.ask("GET", path).code, 500);
}

TEST_F(HealthServerTest, ServesMetricsAndDecisions) {
  start();
  recent_decisions.add(R"({"id":"a"})");
  HttpClient client(server->port());
  const auto text = client.ask("GET", "/metrics");
  EXPECT_EQ(text.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(text.body.find("\nebb_decisions_total 0\n"), std::string::npos);
  const auto decisions = client.ask("GET", "/decisions");
  EXPECT_EQ(decisions.headers.at("content-type"), "application/json");
  EXPECT_EQ(decisions.body, "[{\"id\":\"a\"}]\n");
}

TEST_F(HealthServerTest, RefusesTheRest) {
  start();
  EXPECT_EQ(HttpClient(server->port()).ask("GET", "/elsewhere").code, 404);
  EXPECT_EQ(HttpClient(server->port()).ask("POST", "/metrics").code, 405);
}

TEST_F(HealthServerTest, SpeaksTlsIfItHasACertificate) {
  const auto authority = net::make_authority("test");
  ASSERT_TRUE(authority);
  const auto pair = net::issue_server_certificate(*authority, {"127.0.0.1"});
  ASSERT_TRUE(pair);
  settings.tls = *pair;
  start();
  HttpClient client(server->port(), authority->certificate_pem);
  EXPECT_EQ(client.ask("GET", "/livez").code, 200);
}

// Grants everything.
class OpenAccess : public PageAccess {
 public:
  void check(const net::HttpRequest& /*request*/, Done done) override { done(std::nullopt); }
};

TEST_F(HealthServerTest, SpeaksTlsByItselfWhereItIsNotOnLoopback) {
  settings.address = "0.0.0.0";
  access = std::make_unique<OpenAccess>();
  start();
  EXPECT_EQ(HttpClient(server->port(), HttpClient::kAnyCertificate).ask("GET", "/livez").code, 200);
  EXPECT_EQ(HttpClient(server->port()).ask("GET", "/livez").code, 0) << "plain HTTP was answered";
}

TEST_F(HealthServerTest, KnowsWhichAddressesAreLoopback) {
  for (const char* address : {"127.0.0.1", "127.8.0.1", "::1"}) {
    EXPECT_TRUE(is_on_loopback({.address = address})) << address;
  }
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "localhost", ""}) {
    EXPECT_FALSE(is_on_loopback({.address = address})) << address;
  }
}

TEST_F(HealthServerTest, OnLoopbackRefusesForeignNames) {
  start();
  const auto ask = [&](const std::string& host) {
    HttpClient client(server->port());
    client.send("GET /decisions HTTP/1.1\r\n" + host + "\r\n");
    return client.receive();
  };
  EXPECT_EQ(ask("Host: localhost:10280\r\n").code, 200);
  EXPECT_EQ(ask("Host: 127.0.0.1\r\n").code, 200);
  EXPECT_EQ(ask("Host: [::1]:1\r\n").code, 200);
  const auto foreign = ask("Host: rebound.example:10280\r\n");
  EXPECT_EQ(foreign.code, 403);
  EXPECT_EQ(foreign.body, "the Host header must be localhost, 127.0.0.1 or [::1], with any port\n");
  EXPECT_EQ(ask("").code, 403);
  EXPECT_EQ(ask("Host: localhost\r\nHost: rebound.example\r\n").code, 400);
}

// 400 connections that are held in different ways, all from one address.
class HeldHealthConnections : public HealthServerTest {
 protected:
  void hold(const std::string& from) {
    for (int i = 0; i < 400; ++i) {
      held.push_back(std::make_unique<HttpClient>(server->port(), "", "", from));
      switch (i % 4) {
        case 0:
          break;  // nothing is sent
        case 1:
          held.back()->send("GET /livez HTTP/1.1\r\nHost: loc");
          break;
        case 2:
          held.back()->send_request("GET", "/livez");
          break;
        default:
          for (int n = 0; n < 50; ++n) held.back()->send_request("GET", "/metrics");
      }
    }
  }
  void expect_probes() const {
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(HttpClient(server->port()).ask("GET", "/livez", "", "Connection: close\r\n").code,
                200);
    }
  }

  std::vector<std::unique_ptr<HttpClient>> held;
};

TEST_F(HeldHealthConnections, CostNoProbeOfAnotherPeer) {
  start();
  hold("127.0.0.2");
  expect_probes();
}

TEST_F(HeldHealthConnections, CostNoProbeOfTheSamePeer) {
  start();
  hold("127.0.0.1");
  expect_probes();
}

}  // namespace
}  // namespace ebb::runtime
