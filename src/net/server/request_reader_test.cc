#include "net/server/request_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::net {
namespace {

using State = RequestReader::State;

// Feeds a text in pieces, as a connection would; gives what was not used.
std::string feed(RequestReader& reader, std::string_view text, std::size_t piece) {
  std::string waiting;
  while (!text.empty() && (reader.state() == State::kHead || reader.state() == State::kBody)) {
    waiting += text.substr(0, piece);
    text.remove_prefix(std::min(piece, text.size()));
    for (std::size_t used = 1; used > 0;) {
      used = reader.take(waiting);
      waiting.erase(0, used);
    }
  }
  return waiting + std::string(text);
}

RC_GTEST_PROP(RequestReader, ReadsTheSameRequestHoweverItIsCut, ()) {
  const auto piece = *rc::gen::inRange<std::size_t>(1, 200);
  const auto chunked = *rc::gen::arbitrary<bool>();
  RequestReader reader{RequestLimits{}};
  const std::string head =
      "PATCH /api/v1/pods/web?fieldManager=me&x=%20 HTTP/1.1\r\nHost: h\r\n"
      "Authorization: Bearer t\r\ncontent-type: application/json\r\nAccept: a/b\r\n"
      "Accept-Encoding: gzip\r\nIf-None-Match: \"t\"\r\n"
      "Impersonate-User: bob\r\nimpersonate-group: a\r\nImpersonate-Group: b\r\n";
  const std::string rest = feed(
      reader,
      head +
          (chunked ? "Transfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x=y\r\n\":1}\r\n0\r\n\r\n"
                   : "Content-Length: 7\r\n\r\n{\"a\":1}") +
          "GET /next",
      piece);
  RC_ASSERT(reader.state() == State::kDone);
  RC_ASSERT(reader.keep_alive());
  const HttpRequest request = reader.release();
  RC_ASSERT(request.method == "PATCH");
  RC_ASSERT(request.path == "/api/v1/pods/web");
  RC_ASSERT(request.query == "fieldManager=me&x=%20");
  RC_ASSERT(request.authorization == "Bearer t");
  RC_ASSERT(request.content_type == "application/json");
  RC_ASSERT(request.accept == "a/b");
  RC_ASSERT(request.accept_encoding == "gzip");
  RC_ASSERT(request.if_none_match == "\"t\"");
  using Lines = std::vector<std::pair<std::string, std::string>>;
  RC_ASSERT(
      request.impersonation ==
      (Lines{{"impersonate-user", "bob"}, {"impersonate-group", "a"}, {"impersonate-group", "b"}}));
  RC_ASSERT(request.body == "{\"a\":1}");
  RC_ASSERT(rest == "GET /next");
}

// However often and however little of it is shown.
TEST(RequestReader, WaitsForTheRestOfALastChunk) {
  for (const char* body : {"0\r\n\r\n", "00\r\n\r\n", "0;x=y\r\n\r\n", "0\r\nX: y\r\n\r\n",
                           "4\r\n0\r\n0\r\n0\r\n\r\n", "2\r\n0\r\r\n0\r\n\r\n"}) {
    RequestReader reader{RequestLimits{}};
    EXPECT_EQ(feed(reader, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 100), "");
    EXPECT_EQ(reader.state(), State::kBody);
    EXPECT_EQ(feed(reader, body, 1), "") << body;
    EXPECT_EQ(reader.state(), State::kDone) << body;
  }
}

struct BadRequest {
  const char* why;
  std::string text;
  int code;
};

TEST(RequestReader, RefusesInvalidRequests) {
  std::string many;
  for (int i = 0; i < 200; ++i) many += fmt::format("X-{}: y\r\n", i);
  const BadRequest requests[] = {
      {"no HTTP", "hello there\r\n\r\n", 400},
      {"a TLS handshake", std::string("\x16\x03\x01\x02\x00\x01", 6) + "\r\n\r\n", 400},
      {"another version", "GET / HTTP/3.7\r\n\r\n", 400},
      {"a header without a colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
      {"no number as length", "POST / HTTP/1.1\r\nContent-Length: few\r\n\r\n", 400},
      {"two lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"length and chunks",
       "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"no chunk", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n", 400},
      {"a proxy's target", "GET http://elsewhere/ HTTP/1.1\r\n\r\n", 400},
      {"no path", "OPTIONS * HTTP/1.1\r\n\r\n", 400},
      {"too many headers", "GET / HTTP/1.1\r\n" + many + "\r\n", 431},
      {"a header that is too long", "GET / HTTP/1.1\r\nX: " + std::string(70000, 'x'), 431},
      {"a target that is too long", "GET /" + std::string(70000, 'x'), 431},
  };
  for (const BadRequest& bad : requests) {
    RequestReader reader{RequestLimits{}};
    feed(reader, bad.text, 1000);
    ASSERT_EQ(reader.state(), State::kBad) << bad.why;
    EXPECT_EQ(reader.problem().code, bad.code) << bad.why;
    EXPECT_FALSE(reader.problem().text.empty()) << bad.why;
  }
}

TEST(RequestReader, RefusesAnOversizeBodyByItsAnnouncedLength) {
  RequestReader reader{RequestLimits{.body_bytes = 10}};
  feed(reader, "POST /x HTTP/1.1\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n", 1000);
  EXPECT_EQ(reader.state(), State::kTooLarge);
  EXPECT_EQ(reader.release().path, "/x");
}

TEST(RequestReader, StopsReadingChunksThatGrowTooLarge) {
  RequestReader reader{RequestLimits{.body_bytes = 10}};
  feed(reader,
       "POST /x HTTP/1.1\r\nTransfer-Encoding: "
       "chunked\r\n\r\n8\r\n12345678\r\n3\r\n123\r\n0\r\n\r\n",
       1000);
  EXPECT_EQ(reader.state(), State::kTooLarge);
}

TEST(RequestReader, TakesABodyOfExactlyTheLimit) {
  RequestReader reader{RequestLimits{.body_bytes = 10}};
  feed(reader, "POST /x HTTP/1.1\r\nContent-Length: 10\r\n\r\n1234567890", 7);
  ASSERT_EQ(reader.state(), State::kDone);
  EXPECT_EQ(reader.release().body, "1234567890");
}

TEST(RequestReader, ReadsExpectContinueAndKeepAlive) {
  RequestReader reader{RequestLimits{}};
  feed(reader, "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n", 1000);
  EXPECT_EQ(reader.state(), State::kBody);
  EXPECT_TRUE(reader.expects_continue());
  EXPECT_TRUE(reader.keep_alive());

  RequestReader closing{RequestLimits{}};
  feed(closing, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 1000);
  EXPECT_EQ(closing.state(), State::kDone);
  EXPECT_FALSE(closing.keep_alive());
}

}  // namespace
}  // namespace ebb::net
