// The server as an HTTP client sees it, but without TLS.
#include "cluster/server/api_host.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/server/http_server.h"
#include "support/net/http_client.h"

namespace ebb::cluster {
namespace {

using support::HttpAnswer;
using support::HttpClient;

constexpr std::string_view kToken = "Authorization: Bearer sesame\r\n";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string config_map(std::string_view name) {
  return fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}})",
                     name);
}

class ApiHostTest : public ::testing::Test {
 protected:
  void SetUp() override { start({.token = "sesame"}); }

  void start(ApiHostSettings settings) {
    http.reset();
    auto started = LiveServer::start({}, std::nullopt);
    ASSERT_TRUE(started);
    server = std::move(*started);
    host = std::make_unique<ApiHost>(*server, std::move(settings));
    auto listening = net::HttpServer::start({}, *host);
    ASSERT_TRUE(listening);
    http = std::move(*listening);
  }

  std::unique_ptr<LiveServer> server;
  std::unique_ptr<ApiHost> host;
  std::unique_ptr<net::HttpServer> http;
};

TEST_F(ApiHostTest, AsksForTheToken) {
  for (const char* header : {"", "Authorization: Bearer\r\n", "Authorization: Bearer sesam\r\n",
                             "Authorization: Bearer sesame2\r\n", "Authorization: Basic sesame\r\n",
                             "Authorization: sesame\r\n"}) {
    const HttpAnswer answer = HttpClient(http->port()).ask("GET", "/api/v1/pods", "", header);
    EXPECT_EQ(answer.code, 401) << header;
    EXPECT_EQ(answer.headers.at("content-type"), "application/json");
    EXPECT_NE(answer.body.find("\"reason\":\"Unauthorized\""), std::string::npos) << answer.body;
  }
  HttpClient client(http->port());
  EXPECT_EQ(client.ask("GET", "/api/v1/pods", "", kToken).code, 200);
  EXPECT_EQ(client.ask("GET", "/api/v1/pods", "", "authorization: bearer sesame\r\n").code, 200);
}

TEST_F(ApiHostTest, ShowsItsHealthAndVersionToAnyone) {
  HttpClient client(http->port());
  for (const char* path : {"/healthz", "/livez", "/readyz"}) {
    const HttpAnswer answer = client.ask("GET", path);
    EXPECT_EQ(answer.code, 200) << path;
    EXPECT_EQ(answer.body, "ok");
  }
  EXPECT_EQ(client.ask("GET", "/version").code, 200);
  EXPECT_EQ(client.ask("GET", "/apis").code, 401);
  EXPECT_EQ(client.ask("POST", "/version").code, 401);
}

TEST_F(ApiHostTest, DoesNotReadTheBodyOfAStranger) {
  HttpClient client(http->port());
  client.send("POST /api/v1/namespaces HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
  EXPECT_EQ(client.receive().code, 401);
}

TEST_F(ApiHostTest, WritesReadsAndRefuses) {
  HttpClient client(http->port());
  const HttpAnswer created = client.ask(
      "POST", kMaps, config_map("a"), fmt::format("{}Content-Type: application/json\r\n", kToken));
  EXPECT_EQ(created.code, 201);
  EXPECT_EQ(created.headers.at("cache-control"), "no-cache, private");
  EXPECT_EQ(client.ask("GET", fmt::format("{}/a", kMaps), "", kToken).body, created.body);
  EXPECT_EQ(client.ask("TRACE", kMaps, "", kToken).code, 405);
  client.send_request("HEAD", fmt::format("{}/a", kMaps), "", kToken);
  EXPECT_EQ(client.receive(true).headers.at("content-length"), std::to_string(created.body.size()));
  const HttpAnswer large = client.ask("POST", kMaps, std::string((3UL << 20) + 1, ' '), kToken);
  EXPECT_EQ(large.code, 413);
  EXPECT_NE(large.body.find("\"reason\":\"RequestEntityTooLarge\""), std::string::npos);
}

TEST_F(ApiHostTest, CompressesLargeAnswersForClientsThatAcceptGzip) {
  HttpClient client(http->port());
  const std::string data(200'000, 'x');
  const std::string body =
      fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"large"}},)"
                  R"("data":{{"x":"{}"}}}})",
                  data);
  const std::string with_type = fmt::format("{}Content-Type: application/json\r\n", kToken);
  ASSERT_EQ(client.ask("POST", kMaps, body, with_type).code, 201);
  ASSERT_EQ(client.ask("POST", kMaps, config_map("small"), with_type).code, 201);
  const std::string with_gzip = fmt::format("{}Accept-Encoding: gzip\r\n", kToken);
  const auto get = [&](std::string_view name, const std::string& headers) {
    return client.ask("GET", fmt::format("{}/{}", kMaps, name), "", headers);
  };
  const HttpAnswer packed = get("large", with_gzip);
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(packed.headers.at("vary"), "Accept-Encoding");
  EXPECT_LT(packed.body.size(), 20'000U);
  EXPECT_FALSE(get("large", std::string(kToken)).headers.contains("content-encoding"));
  EXPECT_FALSE(get("small", with_gzip).headers.contains("content-encoding"));
}

TEST_F(ApiHostTest, StreamsWatches) {
  HttpClient watcher(http->port());
  watcher.send_request("GET", "/api/v1/configmaps?watch=1", "", kToken);
  EXPECT_EQ(watcher.receive_head().code, 200);
  HttpClient writer(http->port());
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(writer
                  .ask("POST", kMaps, config_map(name),
                       fmt::format("{}Content-Type: application/json\r\n", kToken))
                  .code,
              201);
    const auto event = watcher.receive_chunk();
    ASSERT_TRUE(event);
    EXPECT_TRUE(event->starts_with(R"({"type":"ADDED",)")) << *event;
    EXPECT_NE(event->find(fmt::format("\"name\":\"{}\"", name)), std::string::npos);
    EXPECT_TRUE(event->ends_with("}\n"));
  }
}

TEST_F(ApiHostTest, EndsWatchesWithTheirTimeAndKeepsTheConnection) {
  HttpClient client(http->port());
  const HttpAnswer watched =
      client.ask("GET", "/api/v1/configmaps?watch=1&timeoutSeconds=1", "", kToken);
  EXPECT_EQ(watched.code, 200);
  EXPECT_EQ(watched.body, "");
  EXPECT_EQ(client.ask("GET", "/api/v1/configmaps", "", kToken).code, 200);
}

TEST_F(ApiHostTest, TellsExcessRequestsToRetryLater) {
  start({.token = "sesame", .max_in_flight = 1});
  // Watches do not count, or they would fill all places.
  HttpClient watcher(http->port());
  watcher.send_request("GET", "/api/v1/configmaps?watch=1", "", kToken);
  EXPECT_EQ(watcher.receive_head().code, 200);
  HttpClient waiting(http->port());
  HttpClient client(http->port());
  int code = 200;
  for (int rounds = 0; rounds < 20 && code == 200; ++rounds) {
    // This request waits for a revision that is never reached.
    waiting.send_request("GET", "/api/v1/configmaps?resourceVersion=99999", "", kToken);
    for (int tries = 0; tries < 10'000 && code == 200; ++tries) {
      const HttpAnswer answer = client.ask("GET", "/api/v1/configmaps", "", kToken);
      code = answer.code;
      if (code == 429) {
        EXPECT_EQ(answer.headers.at("retry-after"), "1");
      }
    }
    // Unless it arrived while another request had the place.
    if (code == 200) {
      ASSERT_EQ(waiting.receive().code, 429);
    }
  }
  EXPECT_EQ(code, 429);
  EXPECT_EQ(waiting.receive().code, 504);
  // Its place is free as soon as the server knows that the answer is written.
  for (int tries = 0; tries < 10'000 && code == 429; ++tries) {
    code = client.ask("GET", "/api/v1/configmaps", "", kToken).code;
  }
  EXPECT_EQ(code, 200);
}

TEST(ResponseHeadOf, QuotesWarnings) {
  ApiResponse response;
  response.warnings = {"unknown field \"spec.replica\"", "a\\b\nc"};
  response.retry_after_seconds = 3;
  const net::HttpHead head = response_head_of(response);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"Cache-Control", "no-cache, private"},
      {"Content-Type", "application/json"},
      {"Warning", R"(299 - "unknown field \"spec.replica\"")"},
      {"Warning", R"(299 - "a\\b c")"},
      {"Retry-After", "3"}};
  EXPECT_EQ(head.headers, expected);
}

}  // namespace
}  // namespace ebb::cluster
