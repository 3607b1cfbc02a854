#include "runtime/health_server.h"

#include <gtest/gtest.h>

#include "base/agenda.h"
#include "runtime/clock.h"
#include "support/http_client.h"

namespace ebb::runtime {
namespace {

using support::HttpClient;

class HealthServerTest : public ::testing::Test {
 protected:
  void start() {
    auto started = HealthServer::start(settings, health, metrics, book);
    ASSERT_TRUE(started) << started.error().message;
    server = std::move(*started);
  }

  HealthServerSettings settings;
  Health health;
  Metrics metrics{"x"};
  DecisionBook book;
  std::unique_ptr<HealthServer> server;
};

TEST_F(HealthServerTest, IsReadyOnceItWasTold) {
  start();
  HttpClient client(server->port());
  const auto before = client.ask("GET", "/readyz");
  EXPECT_EQ(before.code, 500);
  EXPECT_EQ(before.body,
            "[-]synced failed: the cluster has not been read yet\nreadyz check failed\n");
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
  static_cast<void>(book.add(R"({"id":"a"})"));
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

}  // namespace
}  // namespace ebb::runtime
