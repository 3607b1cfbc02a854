// The picker client with servers that behave.
#include "pickerclient/picker_client.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/client/curl_loop.h"
#include "support/net/raw_server.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::Outcome;
using picker::Reply;
using support::PickerClientScene;
using support::RawConnection;
using support::RawServer;
using support::with;

constexpr const char* kAnswer = R"({"chosen_pods":["a"],"tied_pods":["b"]})";

TEST(PickerClient, PostsTheRequestAndReadsTheAnswer) {
  std::string seen;
  RawServer server([&](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      seen = *request;
      connection.answer(200, kAnswer);
    }
  });
  PickerClientScene scene;
  picker::Call call = scene.call(server.port());
  call.headers = {{"authorization", "Bearer t"}, {"x-empty", ""}, {"x-blank", "  "}};
  const Reply reply = scene.ask_and_wait(call);
  EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.detail;
  EXPECT_EQ(reply.answer.chosen, std::vector<std::string>{"a"});
  EXPECT_EQ(reply.answer.tied, std::vector<std::string>{"b"});
  EXPECT_EQ(seen, fmt::format("POST /pick HTTP/1.1\r\n"
                              "Host: 127.0.0.1:{}\r\n"
                              "Accept-Encoding: gzip\r\n"
                              "authorization: Bearer t\r\n"
                              "x-empty:\r\n"
                              "x-blank:\r\n"
                              "Idempotency-Key: key-1\r\n"
                              "User-Agent: ebb/{}\r\n"
                              "Content-Type: application/json\r\n"
                              "Accept: application/json\r\n"
                              "Content-Length: 57\r\n\r\n"
                              R"({{"number_of_pods_requested":1,"candidate_pods":["a","b"]}})",
                              server.port(), EBB_VERSION));
}

TEST(PickerClient, SaysThatTheAnswerIsOnlyRecorded) {
  std::string seen;
  RawServer server([&](RawConnection& connection, int) {
    while (auto request = connection.read_request()) {
      seen = *request;
      connection.answer(200, kAnswer);
    }
  });
  PickerClientScene scene;
  picker::Call call = scene.call(server.port());
  call.shadow = true;
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kAnswered);
  EXPECT_NE(seen.find("\r\nEbb-Shadow: true\r\n"), std::string::npos) << seen;
}

TEST(PickerClient, KeepsConnections) {
  RawServer server([&](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, kAnswer);
  });
  PickerClientScene scene;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(scene.ask_and_wait(scene.call(server.port())).outcome, Outcome::kAnswered);
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(PickerClient, ClassifiesStatusCodes) {
  struct Row {
    int code;
    const char* headers;
    const char* body;
    Outcome outcome;
    bool repeatable;
    Nanoseconds retry_after_ns = 0;
  };
  constexpr Row kRows[] = {
      {200, "", "{}", Outcome::kEmpty, false},
      {200, "", "", Outcome::kEmpty, false},
      {204, "", "", Outcome::kEmpty, false},
      {201, "", kAnswer, Outcome::kAnswered, false},
      {299, "", kAnswer, Outcome::kAnswered, false},
      {200, "", R"({"chosen_pods":null,"other":1})", Outcome::kEmpty, false},
      {200, "", R"({"chosen_pods":1})", Outcome::kMalformed, true},
      {302, "Location: http://169.254.169.254/\r\n", "", Outcome::kStatusCode, false},
      {304, "", "", Outcome::kStatusCode, false},
      {400, "", kAnswer, Outcome::kStatusCode, false},
      {404, "", "", Outcome::kStatusCode, false},
      {408, "", "", Outcome::kStatusCode, false},
      {429, "Retry-After: 2\r\n", "", Outcome::kStatusCode, true, 2 * kNanosecondsPerSecond},
      {500, "", "secret", Outcome::kStatusCode, true},
      {503, "retry-after: 1\r\n", "", Outcome::kStatusCode, true, kNanosecondsPerSecond},
  };
  for (const Row& row : kRows) {
    RawServer server([&](RawConnection& connection, int) {
      while (connection.read_request()) connection.answer(row.code, row.body, row.headers);
    });
    PickerClientScene scene;
    const Reply reply = scene.ask_and_wait(scene.call(server.port()));
    EXPECT_EQ(reply.outcome, row.outcome) << row.code << reply.detail;
    EXPECT_EQ(reply.repeatable, row.repeatable) << row.code;
    EXPECT_EQ(reply.retry_after_ns, row.retry_after_ns) << row.code;
    if (row.outcome == Outcome::kStatusCode) {
      EXPECT_EQ(reply.code, row.code);
    }
    EXPECT_EQ(reply.detail.find("secret"), std::string::npos);
  }
}

TEST(PickerClient, TriesTheNextAddressOfANameThatHasSeveral) {
  RawServer server([&](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, kAnswer);
  });
  PickerClientScene scene;
  scene.resolver().put("picker.shop.svc", {"127.0.0.2", "127.0.0.1"});
  const auto call = with(scene.call(server.port()),
                         [](picker::Settings& settings) { settings.host = "picker.shop.svc"; });
  const Reply reply = scene.ask_and_wait(call);
  EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.detail;
  EXPECT_EQ(scene.dialer().dialled(), (std::vector<std::string>{"127.0.0.2", "127.0.0.1"}));
}

}  // namespace
}  // namespace ebb::picker_client
