// gRPC with servers that behave, and servers that do not.
#include <atomic>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "net/tls/certificate.h"
#include "pickerclient/picker_client.h"
#include "support/net/h2_server.h"
#include "support/picker/hostile.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::Outcome;
using picker::Reply;
using support::H2Answer;
using support::H2Request;
using support::kSentinel;
using support::PickerClientScene;
using support::RawConnection;
using support::RawServer;
using support::RawTls;
using support::with;

const H2Answer::Headers kHead = {{":status", "200"}, {"content-type", "application/grpc"}};
const H2Answer::Headers kOk = {{"grpc-status", "0"}};

std::string frame(std::string_view message, char flag = 0) {
  std::string text(1, flag);
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    text += static_cast<char>((message.size() >> shift) & 0xff);
  }
  return text + std::string(message);
}

// chosen_pods: ["a"]
const std::string kMessage(
    "\x0a\x01"
    "a",
    3);

RawServer::Script answers(H2Answer answer) {
  return [answer = std::move(answer)](RawConnection& connection, int) {
    support::serve_h2(connection, [&](const H2Request&) { return answer; });
  };
}

RawServer::Script answers_frame(std::string body) {
  return answers({.headers = kHead, .body = std::move(body), .trailers = kOk});
}

RawServer::Script status(std::string code, H2Answer::Headers more = {}) {
  H2Answer::Headers headers = kHead;
  headers.emplace_back("grpc-status", std::move(code));
  headers.emplace_back("grpc-message", kSentinel);
  headers.insert(headers.end(), more.begin(), more.end());
  return answers({.headers = std::move(headers)});
}

void over_grpc(picker::Call& call) {
  call = with(std::move(call),
              [](picker::Settings& settings) { settings.protocol = picker::Protocol::kGrpc; });
}

TEST(Grpc, CallsTheMethodAndReadsTheAnswer) {
  H2Request seen;
  RawServer server([&](RawConnection& connection, int) {
    support::serve_h2(connection, [&](const H2Request& request) {
      seen = request;
      return H2Answer{.headers = kHead, .body = frame(kMessage), .trailers = kOk};
    });
  });
  PickerClientScene scene;
  picker::Call call = scene.call(server.port());
  over_grpc(call);
  call.headers = {{"authorization", "Bearer t"}, {"x-blank", "  "}};
  call.body = std::make_shared<std::string>("message");
  for (int i = 0; i < 3; ++i) {
    const Reply reply = scene.ask_and_wait(call);
    EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.detail;
    EXPECT_EQ(reply.answer.chosen, std::vector<std::string>{"a"});
  }
  EXPECT_EQ(seen.body, frame("message"));
  EXPECT_EQ(seen.headers.at(":method"), "POST");
  EXPECT_EQ(seen.headers.at(":scheme"), "http");
  EXPECT_EQ(seen.headers.at(":path"), "/ebb.picker.v1.PodPicker/Pick");
  EXPECT_EQ(seen.headers.at(":authority"), fmt::format("127.0.0.1:{}", server.port()));
  EXPECT_EQ(seen.headers.at("content-type"), "application/grpc");
  EXPECT_EQ(seen.headers.at("te"), "trailers");
  EXPECT_EQ(seen.headers.at("grpc-accept-encoding"), "identity");
  EXPECT_EQ(seen.headers.at("idempotency-key"), "key-1");
  EXPECT_EQ(seen.headers.at("authorization"), "Bearer t");
  EXPECT_EQ(seen.headers.at("x-blank"), "");
  EXPECT_EQ(seen.headers.at("user-agent"), "ebb/" EBB_VERSION);
  EXPECT_EQ(seen.headers.count("accept-encoding"), 0U);
  const std::string timeout = seen.headers.at("grpc-timeout");
  EXPECT_EQ(timeout.back(), 'm');
  EXPECT_GT(std::stoi(timeout), 20'000);
  EXPECT_LE(std::stoi(timeout), 30'000);
  EXPECT_EQ(seen.headers.count("ebb-shadow"), 0U);
  call.shadow = true;
  EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kAnswered);
  EXPECT_EQ(seen.headers.at("ebb-shadow"), "true");
}

TEST(Grpc, MapsEveryStatus) {
  std::vector<support::Hostile> rows;
  for (const int code : {1, 3, 5, 6, 7, 9, 11, 12, 16, 17, 99}) {
    rows.push_back({fmt::format("status {}", code), status(std::to_string(code)),
                    Outcome::kStatusCode, false});
  }
  for (const int code : {2, 8, 10, 13, 14, 15}) {
    rows.push_back(
        {fmt::format("status {}", code), status(std::to_string(code)), Outcome::kStatusCode, true});
  }
  rows.push_back({"too late", status("4"), Outcome::kTimeout, true});
  rows.push_back({"a status in words", status("fine"), Outcome::kStatusCode, true});
  rows.push_back({"a status without anything", status(""), Outcome::kStatusCode, true});
  rows.push_back(
      {"a status behind a message",
       answers({.headers = kHead, .body = frame(kMessage), .trailers = {{"grpc-status", "14"}}}),
       Outcome::kStatusCode, true});
  for (const auto& [code, repeatable] : std::vector<std::pair<const char*, bool>>{{"400", true},
                                                                                  {"401", false},
                                                                                  {"403", false},
                                                                                  {"404", false},
                                                                                  {"429", true},
                                                                                  {"500", true},
                                                                                  {"502", true},
                                                                                  {"503", true},
                                                                                  {"302", true}}) {
    rows.push_back({fmt::format("HTTP {}", code), answers({.headers = {{":status", code}}}),
                    Outcome::kStatusCode, repeatable});
  }
  support::expect_outcomes(rows, {.change = over_grpc});
}

TEST(HostileGrpc, BreaksTheProtocol) {
  const std::string huge("\x00\xff\xff\xff\xff", 5);
  support::expect_outcomes(
      {
          {"an empty message", answers_frame(frame("")), Outcome::kEmpty, false},
          {"another type",
           answers({.headers = {{":status", "200"}, {"content-type", "text/html"}},
                    .body = kSentinel,
                    .trailers = kOk}),
           Outcome::kMalformed, true},
          {"a type that only begins so",
           answers({.headers = {{":status", "200"}, {"content-type", "application/grpc-web"}},
                    .body = frame(kMessage),
                    .trailers = kOk}),
           Outcome::kMalformed, true},
          {"no type",
           answers({.headers = {{":status", "200"}}, .body = frame(kMessage), .trailers = kOk}),
           Outcome::kMalformed, true},
          {"no trailers", answers({.headers = kHead, .body = frame(kMessage)}), Outcome::kMalformed,
           true},
          {"trailers without a status",
           answers({.headers = kHead, .body = frame(kMessage), .trailers = {{"x", "y"}}}),
           Outcome::kMalformed, true},
          {"no message", answers({.headers = kHead, .trailers = kOk}), Outcome::kMalformed, true},
          {"a status of OK and nothing else", status("0"), Outcome::kMalformed, true},
          {"half a frame", answers_frame(frame(kMessage).substr(0, 3)), Outcome::kMalformed, true},
          {"half a message", answers_frame(frame(kMessage).substr(0, 6)), Outcome::kMalformed,
           true},
          {"two messages", answers_frame(frame(kMessage) + frame(kMessage)), Outcome::kMalformed,
           true},
          {"a compressed message", answers_frame(frame(support::gzip(kMessage), 1)),
           Outcome::kMalformed, true},
          {"an unknown flag", answers_frame(frame(kMessage, 2)), Outcome::kMalformed, true},
          {"no protobuf", answers_frame(frame(kSentinel)), Outcome::kMalformed, true},
          {"a huge message announced", answers_frame(huge), Outcome::kOversize, false},
          {"a huge message", answers_frame(frame(std::string(2UL << 20U, 'x'))), Outcome::kOversize,
           false},
          {"an endless message",
           answers({.headers = kHead, .body = std::string(8192, '\0'), .endless = true}),
           Outcome::kOversize, false},
          {"resets the stream", answers({.reset = true}), Outcome::kRefused, true},
          {"large heads",
           answers({.headers = {{":status", "200"},
                                {"content-type", "application/grpc"},
                                {"x", std::string(50'000, 'x')}},
                    .body = frame(kMessage),
                    .trailers = {{"grpc-status", "0"}, {"y", std::string(50'000, 'y')}}}),
           Outcome::kOversize, false},
      },
      {.change = over_grpc});
}

TEST(HostileGrpc, SpeaksSomethingElse) {
  const auto says = [](std::string text) {
    return [text = std::move(text)](RawConnection& connection, int) {
      std::array<char, 100> some{};
      (void)connection.read_some(some.data(), some.size());
      connection.write(text);
      (void)connection.is_closed_by_client();
    };
  };
  const std::string settings("\x00\x00\x00\x04\x00\x00\x00\x00\x00", 9);
  support::expect_outcomes(
      {
          {"HTTP/1.1", says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), Outcome::kRefused,
           true},
          {"garbage", says(std::string(100, 'g')), Outcome::kRefused, true},
          {"garbage behind settings", says(settings + std::string(100, 'g')), Outcome::kRefused,
           true},
          {"a frame longer than allowed",
           says(settings + std::string("\xff\xff\xff\x00\x00\x00\x00\x00\x01", 9)),
           Outcome::kRefused, true},
          {"broken header compression",
           says(settings + std::string("\x00\x00\x04\x01\x04\x00\x00\x00\x01\xff\xff\xff\xff", 13)),
           Outcome::kRefused, true},
          {"goes away",
           says(settings +
                std::string("\x00\x00\x08\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
                            17)),
           Outcome::kRefused, true},
          {"breaks off", [](RawConnection& connection, int) { connection.reset(); },
           Outcome::kRefused, true},
          {"closes", [](RawConnection&, int) {}, Outcome::kRefused, true},
      },
      {.budget_ns = 3 * kNanosecondsPerSecond, .change = over_grpc});
}

TEST(HostileGrpc, TakesItsTime) {
  support::expect_outcomes(
      {{"never answers", answers({.silent = true}), Outcome::kTimeout, false},
       {"never speaks",
        [](RawConnection& connection, int) { (void)connection.is_closed_by_client(); },
        Outcome::kTimeout, false}},
      {.budget_ns = kNanosecondsPerSecond, .change = over_grpc});
}

TEST(Grpc, NeedsHttp2AlsoUnderTls) {
  const auto authority = net::make_authority("test").value();
  const auto pair = net::issue_server_certificate(authority, {"127.0.0.1"}).value();
  const auto change = [&](picker::Call& call) {
    over_grpc(call);
    call = with(std::move(call), [&](picker::Settings& settings) {
      settings.tls = true;
      settings.ca_pem = authority.certificate_pem;
    });
  };
  support::expect_outcomes({{"agrees to HTTP/2", answers_frame(frame(kMessage)), Outcome::kAnswered,
                             false, RawTls{pair.certificate_pem, pair.key_pem, false, true}}},
                           {.change = change});
  // A server that knows nothing of ALPN.
  support::expect_outcomes({{"does not",
                             [](RawConnection& connection, int) {
                               connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                               (void)connection.is_closed_by_client();
                             },
                             Outcome::kRefused, true, RawTls{pair.certificate_pem, pair.key_pem}}},
                           {.change = change});
}

TEST(Http2, IsSpokenWhereTlsAgreesToIt) {
  const auto authority = net::make_authority("test").value();
  const auto pair = net::issue_server_certificate(authority, {"127.0.0.1"}).value();
  std::atomic<int> requests = 0;
  RawServer server(
      [&](RawConnection& connection, int) {
        support::serve_h2(connection, [&](const H2Request& request) {
          requests += request.headers.at("content-type") == "application/json" ? 1 : 0;
          return H2Answer{.headers = {{":status", "200"}}, .body = R"({"tied_pods":["a"]})"};
        });
      },
      RawTls{pair.certificate_pem, pair.key_pem, false, true});
  PickerClientScene scene;
  const picker::Call call = with(scene.call(server.port()), [&](picker::Settings& settings) {
    settings.tls = true;
    settings.ca_pem = authority.certificate_pem;
  });
  std::vector<picker::CallId> ids;
  for (int i = 0; i < 50; ++i) ids.push_back(scene.ask(call));
  for (const picker::CallId id : ids) EXPECT_EQ(scene.reply(id).outcome, Outcome::kAnswered);
  EXPECT_EQ(requests, 50);
  EXPECT_EQ(server.connections(), 50);
}

// A shared connection that hangs would hold up many calls.
TEST(Http2, AConnectionThatHangsDoesNotDelayOthers) {
  const auto authority = net::make_authority("test").value();
  const auto pair = net::issue_server_certificate(authority, {"127.0.0.1"}).value();
  RawServer server(
      [&](RawConnection& connection, int which) {
        support::serve_h2(connection, [&](const H2Request&) {
          if (which == 0) std::this_thread::sleep_for(std::chrono::seconds(2));
          return H2Answer{.headers = {{":status", "200"}}, .body = R"({"tied_pods":["a"]})"};
        });
      },
      RawTls{pair.certificate_pem, pair.key_pem, false, true});
  PickerClientScene scene;
  picker::Call call = with(scene.call(server.port()), [&](picker::Settings& settings) {
    settings.tls = true;
    settings.ca_pem = authority.certificate_pem;
  });
  call.deadline_ns = kNanosecondsPerSecond;
  const picker::CallId stuck = scene.ask(call);
  while (server.connections() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(scene.ask_and_wait(call).outcome, Outcome::kAnswered);
  EXPECT_EQ(scene.reply(stuck).outcome, Outcome::kTimeout);
}

TEST(Grpc, HasAConnectionForEachCallUnderTlsToo) {
  const auto authority = net::make_authority("test").value();
  const auto pair = net::issue_server_certificate(authority, {"127.0.0.1"}).value();
  RawServer server(answers_frame(frame(kMessage)),
                   RawTls{pair.certificate_pem, pair.key_pem, false, true});
  PickerClientScene scene;
  picker::Call call = with(scene.call(server.port()), [&](picker::Settings& settings) {
    settings.tls = true;
    settings.ca_pem = authority.certificate_pem;
  });
  over_grpc(call);
  for (int i = 0; i < 3; ++i) {
    const Reply reply = scene.ask_and_wait(call);
    EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.detail;
  }
  std::vector<picker::CallId> ids;
  for (int i = 0; i < 50; ++i) ids.push_back(scene.ask(call));
  for (const picker::CallId id : ids) EXPECT_EQ(scene.reply(id).outcome, Outcome::kAnswered);
  EXPECT_EQ(server.connections(), 53);
}

TEST(Grpc, GetsItsOwnConnectionWhereHttpIsSpokenToo) {
  // The first connection is that of HTTP.
  RawServer server([](RawConnection& connection, int number) {
    if (number == 0) {
      while (connection.read_request()) connection.answer(200, "{}");
    } else {
      support::serve_h2(connection, [](const H2Request&) {
        return H2Answer{.headers = kHead, .body = frame(kMessage), .trailers = kOk};
      });
    }
  });
  PickerClientScene scene;
  const picker::Call http = scene.call(server.port());
  picker::Call grpc = http;
  over_grpc(grpc);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(scene.ask_and_wait(http).outcome, Outcome::kEmpty);
    const Reply reply = scene.ask_and_wait(grpc);
    EXPECT_EQ(reply.outcome, Outcome::kAnswered) << reply.detail;
  }
  EXPECT_EQ(server.connections(), 3);
}

}  // namespace
}  // namespace ebb::picker_client
