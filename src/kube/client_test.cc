// The client with TLS servers in the same process.
#include "kube/client.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/tls/certificate.h"
#include "support/net/raw_server.h"
#include "support/objects/temporary_folder.h"
#include "support/threads/guarded.h"

namespace ebb::kube {
namespace {

using Failure = net::HttpReply::Failure;
using support::RawConnection;
using support::RawServer;

constexpr Nanoseconds kPatience = 30 * kNanosecondsPerSecond;

class ClientTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = net::make_authority("test");
    ASSERT_TRUE(made);
    authority = *made;
    const auto pair = net::issue_server_certificate(authority, {"127.0.0.1"});
    ASSERT_TRUE(pair);
    server_pair = *pair;
  }

  using Answer = std::function<void(RawConnection&, const std::string&)>;
  void start(Answer answer) {
    server = std::make_unique<RawServer>(
        [answer = std::move(answer)](RawConnection& connection, int) {
          while (auto request = connection.read_request()) answer(connection, *request);
        },
        support::RawTls{server_pair.certificate_pem, server_pair.key_pem, true});
    access.server = server->url("");
    access.ca_pem = authority.certificate_pem;
  }
  void make() {
    auto made = Client::make(access);
    ASSERT_TRUE(made) << made.error().message;
    client = std::move(*made);
  }
  template <class Condition>
  bool poll_until(const Condition& done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(kPatience);
    while (!done()) {
      if (std::chrono::steady_clock::now() > until) return false;
      client->poll(kNanosecondsPerSecond / 10);
    }
    return true;
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  }
  // A plugin that runs `script` and hands out what is then in the file `token`.
  void use_plugin(const std::string& script) {
    write("plugin", "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n" + script + R"sh(
echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",'
echo '"status":{"token":"'"$(cat token)"'"}}'
)sh");
    const std::string file = (folder.path() / "plugin").string();
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    access.exec = ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                             .command = file,
                             .interactive_mode = "Never"};
  }

  support::TemporaryFolder folder;
  net::KeyPair authority;
  net::KeyPair server_pair;
  ClusterAccess access;
  std::unique_ptr<RawServer> server;
  std::unique_ptr<Client> client;
};

bool has(const std::string& request, std::string_view text) {
  return request.find(text) != std::string::npos;
}

TEST_F(ClientTest, SendsTheRequestAndReturnsTheAnswer) {
  std::string seen;
  start([&](RawConnection& connection, const std::string& request) {
    seen = request;
    connection.answer(429, "{}",
                      "Content-Type: application/json\r\nRetry-After: 3\r\n"
                      "Warning: 299 - \"old\"\r\n");
  });
  access.token = "t";
  access.server += "/prefix";
  make();
  const ApiReply reply = client->ask({.method = model::Method::kPatch,
                                      .path = "/api/v1/pods/a",
                                      .query = "dryRun=All",
                                      .content_type = "application/merge-patch+json",
                                      .accept = "application/json",
                                      .body = "{\"a\":1}"},
                                     kPatience);
  ASSERT_EQ(reply.failure, Failure::kNone) << reply.error;
  EXPECT_EQ(reply.response.code, 429);
  EXPECT_EQ(reply.response.content_type, "application/json");
  EXPECT_EQ(reply.response.retry_after_seconds, 3);
  EXPECT_EQ(reply.response.warnings, std::vector<std::string>{"old"});
  EXPECT_EQ(reply.response.body.str(), "{}");
  EXPECT_TRUE(seen.starts_with("PATCH /prefix/api/v1/pods/a?dryRun=All HTTP/1.1\r\n")) << seen;
  const std::string agent = fmt::format("\r\nUser-Agent: ebb/{} (linux/", EBB_VERSION);
  for (const char* line : {"\r\nAuthorization: Bearer t\r\n", agent.c_str(),
                           "\r\nContent-Type: application/merge-patch+json\r\n",
                           "\r\nAccept: application/json\r\n", "\r\n\r\n{\"a\":1}"}) {
    EXPECT_TRUE(has(seen, line)) << line << "\n" << seen;
  }
}

TEST_F(ClientTest, StreamsAndIsCancelled) {
  start([](RawConnection& connection, const std::string&) {
    connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
    (void)connection.is_closed_by_client();
  });
  make();
  std::string pieces;
  const Client::Id id = client->stream(
      {.path = "/", .query = "watch=true"}, kPatience,
      [&](std::string_view piece) { pieces += piece; }, [](const ApiReply&) { FAIL(); });
  EXPECT_TRUE(poll_until([&] { return pieces == "one"; }));
  client->cancel(id);
  client->cancel(id);
  client->poll(0);
}

TEST_F(ClientTest, GivesUrgentRequestsAConnectionWhenOthersUseUpTheirs) {
  start([](RawConnection& connection, const std::string& request) {
    if (has(request, "/held")) (void)connection.is_closed_by_client();
    connection.answer(200, "{}");
  });
  make();
  const auto never = [](const ApiReply&) { FAIL(); };
  for (std::size_t i = 0; i <= kConnections; ++i) client->send({.path = "/held"}, kPatience, never);
  std::vector<std::string> answered;
  const auto note = [&](const char* name) {
    return [&answered, name](const ApiReply&) { answered.emplace_back(name); };
  };
  client->send({.path = "/waits"}, kPatience, note("waits"));
  client->send({.path = "/urgent"}, kPatience, note("urgent"), Client::Urgency::kUrgent);
  client->send({.path = "/apis/coordination.k8s.io/v1/leases"}, kPatience, note("lease"));
  EXPECT_TRUE(poll_until([&] { return answered.size() == 2; }));
  std::sort(answered.begin(), answered.end());
  EXPECT_EQ(answered, (std::vector<std::string>{"lease", "urgent"}));
}

TEST_F(ClientTest, NamesAnUnreachableServerWithoutItsPassword) {
  start([](RawConnection&, const std::string&) {});
  const std::string port = std::to_string(server->port());
  server.reset();
  access.server = "https://me:top-secret@127.0.0.1:" + port;
  make();
  const ApiReply reply = client->ask({.method = model::Method::kPost, .path = "/"}, kPatience);
  EXPECT_EQ(reply.failure, Failure::kNotSent);
  EXPECT_TRUE(reply.error.starts_with("https://127.0.0.1:" + port + ": ")) << reply.error;
}

TEST_F(ClientTest, TriesAgainWithATokenThatWasRenewed) {
  std::atomic<int> requests = 0;
  start([&](RawConnection& connection, const std::string& request) {
    ++requests;
    const bool known = has(request, "Bearer two") && has(request, "\r\n\r\nbody");
    connection.answer(known ? 200 : 401, "");
  });
  write("token", "one");
  access.token_file = (folder.path() / "token").string();
  make();
  const model::ApiRequest request{.method = model::Method::kPost, .path = "/", .body = "body"};
  write("token", "two");
  EXPECT_EQ(client->ask(request, kPatience).response.code, 200);
  EXPECT_EQ(requests, 2);
  EXPECT_EQ(client->ask(request, kPatience).response.code, 200);
  EXPECT_EQ(requests, 3);
}

TEST_F(ClientTest, TakesARefusalForAnAnswerWhereNothingCanBeRenewed) {
  std::atomic<int> requests = 0;
  start([&](RawConnection& connection, const std::string&) {
    ++requests;
    connection.answer(401, "who?");
  });
  access.token = "t";
  make();
  const ApiReply reply = client->ask({.path = "/"}, kPatience);
  EXPECT_EQ(reply.failure, Failure::kNone);
  EXPECT_EQ(reply.response.code, 401);
  EXPECT_EQ(reply.response.body.str(), "who?");
  EXPECT_EQ(requests, 1);
}

TEST_F(ClientTest, RunsAPluginOnceForAllThatWereRefused) {
  start([&](RawConnection& connection, const std::string& request) {
    connection.answer(has(request, "Bearer two") ? 200 : 401, "");
  });
  write("token", "one");
  use_plugin("echo run >> runs");
  make();
  write("token", "two");
  int good = 0;
  for (int i = 0; i < 20; ++i) {
    client->send({.path = "/"}, kPatience,
                 [&](const ApiReply& reply) { good += reply.response.code == 200 ? 1 : 0; });
  }
  EXPECT_TRUE(poll_until([&] { return good == 20; }));
  std::ifstream runs(folder.path() / "runs");
  int count = 0;
  for (std::string line; std::getline(runs, line);) ++count;
  EXPECT_EQ(count, 2);
}

TEST_F(ClientTest, GoesOnPollingWhileAPluginRuns) {
  start([&](RawConnection& connection, const std::string& request) {
    if (has(request, "GET /watch")) {
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      while (connection.write("3\r\none\r\n")) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      return;
    }
    connection.answer(has(request, "Bearer two") ? 200 : 401, "");
  });
  write("token", "one");
  // The second run waits for the file `go`.
  use_plugin("if test -f ran; then while ! test -f go; do sleep 0.01; done; fi; touch ran");
  make();
  write("token", "two");
  int pieces = 0;
  client->stream(
      {.path = "/watch"}, kPatience, [&](std::string_view) { ++pieces; }, [](const ApiReply&) {});
  EXPECT_TRUE(poll_until([&] { return pieces > 0; }));
  int code = 0;
  client->send({.path = "/"}, kPatience,
               [&](const ApiReply& reply) { code = reply.response.code; });
  // One that waits for the plugin runs out of time by itself.
  std::optional<ApiReply> late;
  client->send({.path = "/"}, kPatience / 300, [&](ApiReply reply) { late = std::move(reply); });
  EXPECT_TRUE(poll_until([&] { return late.has_value(); }));
  const int before = pieces;
  EXPECT_TRUE(poll_until([&] { return pieces > before; }));
  EXPECT_EQ(code, 0);
  write("go", "");
  EXPECT_TRUE(poll_until([&] { return code == 200; }));
}

TEST_F(ClientTest, DoesNotSendAWriteThatHasWaitedLongForCredentials) {
  std::atomic<int> writes = 0;
  start([&](RawConnection& connection, const std::string& request) {
    const bool is_good = has(request, "Bearer two");
    if (is_good && has(request, "DELETE")) ++writes;
    connection.answer(is_good ? 200 : 401, "");
  });
  write("token", "one");
  use_plugin("if test -f ran; then while ! test -f go; do sleep 0.01; done; fi; touch ran");
  make();
  write("token", "two");
  std::optional<ApiReply> removed;
  client->send({.method = model::Method::kDelete, .path = "/pod"}, kPatience,
               [&](ApiReply reply) { removed = std::move(reply); });
  int code = 0;
  client->send({.path = "/"}, kPatience,
               [&](const ApiReply& reply) { code = reply.response.code; });
  ASSERT_TRUE(poll_until([&] { return removed.has_value(); }));
  EXPECT_EQ(removed->failure, Failure::kNotSent);
  write("go", "");
  EXPECT_TRUE(poll_until([&] { return code == 200; }));
  EXPECT_EQ(writes, 0);
}

TEST_F(ClientTest, GoesAwayWhileAPluginRuns) {
  start([&](RawConnection& connection, const std::string&) { connection.answer(401, ""); });
  write("token", "one");
  use_plugin("test -f ran && sleep 600; touch ran");
  make();
  client->send({.path = "/"}, kPatience, [](const ApiReply&) { FAIL(); });
  for (int i = 0; i < 20; ++i) client->poll(kNanosecondsPerSecond / 100);
  client.reset();
}

TEST_F(ClientTest, HandsOutThePluginsFailure) {
  start([&](RawConnection& connection, const std::string&) { connection.answer(401, ""); });
  write("token", "one");
  use_plugin("test -f ran && exit 7; touch ran");
  make();
  const ApiReply reply = client->ask({.method = model::Method::kPost, .path = "/"}, kPatience);
  EXPECT_EQ(reply.failure, Failure::kNotSent);
  EXPECT_TRUE(has(reply.error, "exited with code 7")) << reply.error;
}

TEST_F(ClientTest, EndsStreamsOfACertificateThatWasRenewed) {
  support::Guarded<std::string> shown;
  start([&](RawConnection& connection, const std::string& request) {
    if (has(request, "GET /watch")) {
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
      (void)connection.is_closed_by_client();
      return;
    }
    // Not used after answering: the test may be over then.
    const bool first = shown.with([&](std::string& pem) {
      return std::exchange(pem, connection.client_certificate_pem()).empty();
    });
    connection.answer(first ? 401 : 200, "");
  });
  const auto one = net::issue_server_certificate(authority, {"one"});
  const auto two = net::issue_server_certificate(authority, {"two"});
  ASSERT_TRUE(one && two);
  write("c", one->certificate_pem);
  write("k", one->key_pem);
  access.client_certificate_file = (folder.path() / "c").string();
  access.client_key_file = (folder.path() / "k").string();
  make();
  std::string pieces;
  std::optional<ApiReply> ended;
  client->stream(
      {.path = "/watch"}, kPatience, [&](std::string_view piece) { pieces += piece; },
      [&](ApiReply reply) { ended = std::move(reply); });
  EXPECT_TRUE(poll_until([&] { return pieces == "one"; }));
  write("c", two->certificate_pem);
  write("k", two->key_pem);
  EXPECT_EQ(client->ask({.path = "/"}, kPatience).response.code, 200);
  EXPECT_EQ(shown.get(), two->certificate_pem);
  ASSERT_TRUE(poll_until([&] { return ended.has_value(); }));
  EXPECT_EQ(ended->failure, Failure::kBroken);
  EXPECT_TRUE(has(ended->error, "certificate was renewed")) << ended->error;
}

}  // namespace
}  // namespace ebb::kube
