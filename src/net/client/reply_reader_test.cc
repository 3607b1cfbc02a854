#include "net/client/reply_reader.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ebb::net {
namespace {

using Progress = ReplyReader::Progress;

// Records the parts of a reply.
struct Heard final : ReplyListener {
  bool head_line(std::string_view line) override {
    head += line;
    return true;
  }
  bool body_piece(std::string_view piece) override {
    body += piece;
    return body.size() <= most;
  }

  std::string head{};
  std::string body{};
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

struct Read {
  Progress progress = Progress::kGoesOn;
  std::string head{};
  std::string body{};
  bool keeps = false;
  bool operator==(const Read&) const = default;
};

// The answer in pieces that end at these places, and then the end of the connection.
Read read(std::string_view answer, const std::vector<std::size_t>& cuts = {},
          bool to_head = false) {
  ReplyReader reader(to_head);
  Heard heard;
  Progress progress = Progress::kGoesOn;
  std::size_t start = 0;
  for (std::size_t end = 1; end <= answer.size() && progress == Progress::kGoesOn; ++end) {
    if (end < answer.size() && std::find(cuts.begin(), cuts.end(), end) == cuts.end()) continue;
    progress = reader.feed(answer.substr(start, end - start), heard);
    start = end;
  }
  if (progress == Progress::kGoesOn) progress = reader.end();
  return {progress, heard.head, heard.body, reader.keeps_connection()};
}

TEST(ReplyReader, FindsTheEndOfAnAnswer) {
  std::vector<std::size_t> every_place(1000);
  std::iota(every_place.begin(), every_place.end(), 1U);
  struct Row {
    const char* answer;
    const char* body;
    bool keeps;
  };
  for (const Row& row : {
           Row{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello", true},
           Row{"HTTP/1.1 200 \r\ncontent-length:5\r\n\r\nhello", "hello", true},
           Row{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "", true},
           Row{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "", true},
           Row{"HTTP/1.1 204 No Content\r\n\r\n", "", true},
           Row{"HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", "", true},
           Row{"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
               "3\r\nhel\r\nA;x=y\r\nlo, world.\r\n0\r\nTrailer: x\r\n\r\n",
               "hello, world.", true},
           Row{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
               "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
               "ok", true},
           Row{"HTTP/1.1 200 OK\r\n\r\nuntil the end", "until the end", false},
           Row{"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok", false},
           Row{"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok", "ok",
               false},
           Row{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", "ok", false},
           Row{"HTTP/1.1 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", "ok",
               true},
           Row{"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", "ok", false},
       }) {
    const Read got = read(row.answer);
    EXPECT_EQ(got.progress, Progress::kDone) << row.answer;
    EXPECT_EQ(got.body, row.body) << row.answer;
    EXPECT_EQ(got.keeps, row.keeps) << row.answer;
    // Bytes after an answer are seen only if they arrive with it.
    if (!std::string_view(row.answer).ends_with("and more")) {
      EXPECT_EQ(read(row.answer, every_place), got) << row.answer;
    }
  }
}

TEST(ReplyReader, ReadsNoBodyAfterHead) {
  const Read got = read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", {}, true);
  EXPECT_EQ(got.progress, Progress::kDone);
  EXPECT_TRUE(got.keeps);
}

TEST(ReplyReader, RefusesInvalidAndAmbiguousReplies) {
  for (const char* answer : {
           "",
           "SSH-2.0-x\r\n",
           "HTTP/2 200\r\n\r\n",
           "HTTP/1.1 20\r\n\r\n",
           "HTTP/1.1 abc\r\n\r\n",
           "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n",
           "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
           "HTTP/1.1 101 Switching Protocols\r\n\r\n",
           "HTTP/1.1 200 OK\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshor",
           "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nhello",
           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
           "0\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n",
       }) {
    EXPECT_EQ(read(answer).progress, Progress::kBroken) << answer;
    EXPECT_FALSE(read(answer).keeps && read(answer).progress == Progress::kDone) << answer;
  }
}

// How many bytes are taken of a beginning and what is repeated behind it, ten megabytes at most.
std::size_t taken(std::string_view beginning, std::string_view repeated) {
  constexpr std::size_t kEnough = 10UL << 20;
  ReplyReader reader;
  Heard heard;
  Progress progress = reader.feed(beginning, heard);
  std::size_t bytes = 0;
  for (; bytes < kEnough && progress == Progress::kGoesOn; bytes += repeated.size()) {
    progress = reader.feed(repeated, heard);
  }
  EXPECT_EQ(progress, Progress::kBroken) << beginning;
  EXPECT_NE(reader.problem(), "");
  return bytes;
}

TEST(ReplyReader, RefusesAHeadWithoutEnd) {
  constexpr std::size_t kMax = (1UL << 20) + 2000;
  const std::string more = "-More: " + std::string(1000, 'x') + "\r\n";
  EXPECT_LT(taken("HTTP/1.1 200 OK\r\n", "X" + more), kMax);
  // So that each piece ends a line and begins the next one.
  EXPECT_LT(taken("HTTP/1.1 200 OK\r\nX", more + "X"), kMax);
  EXPECT_LT(taken("HTTP/1.1 200 OK\r\nX: ", std::string(1000, 'x')), kMax);
  EXPECT_LT(taken("HTTP/1.1 200 ", std::string(1000, 'x')), kMax);
  EXPECT_LT(taken("HTTP/1.1 103 Hint\r\n\r\n", "HTTP/1.1 103 Hint\r\nX" + more + "\r\n"), kMax);
}

TEST(ReplyReader, RefusesWhatIsSaidAboutChunksWithoutEnd) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_LT(taken(chunked + "1;x=", std::string(1000, 'x')), 20'000U);
  EXPECT_LT(taken(chunked + "0\r\n", "X: " + std::string(1000, 'x') + "\r\n"), 20'000U);
}

TEST(ReplyReader, SaysWhyAnAnswerIsBroken) {
  ReplyReader reader;
  Heard heard;
  EXPECT_EQ(reader.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: br\r\n\r\n", heard),
            Progress::kBroken);
  EXPECT_EQ(reader.problem(), "the response has an unknown transfer encoding");
  reader = ReplyReader();
  EXPECT_EQ(reader.feed("SSH-2.0-server\r\n", heard), Progress::kBroken);
  EXPECT_EQ(reader.problem(), "the response is malformed: bad version");
}

TEST(ReplyReader, ReportsAHeadAsCurlDoes) {
  EXPECT_EQ(read("HTTP/1.1 103 Hint\r\nlink:x\r\n\r\n"
                 "HTTP/1.1 200 OK\r\nA:  b c \r\nContent-Length: 0\r\n\r\n")
                .head,
            "HTTP/1.1 103 Hint\r\nlink: x\r\n\r\n"
            "HTTP/1.1 200 OK\r\nA: b c\r\nContent-Length: 0\r\n\r\n");
}

// A watch may last for hours, and its events are needed at once.
TEST(ReplyReader, PassesOnEachPartOfABodyAtOnce) {
  for (const char* how :
       {"Transfer-Encoding: chunked\r\n", "Content-Length: 99999999999999\r\n", ""}) {
    const bool chunked = *how == 'T';
    ReplyReader reader;
    Heard heard;
    ASSERT_EQ(reader.feed(fmt::format("HTTP/1.1 200 OK\r\n{}\r\n", how), heard), Progress::kGoesOn);
    const std::string event(1000, 'e');
    const std::string coded = chunked ? fmt::format("{:x}\r\n{}\r\n", event.size(), event) : event;
    for (int events = 1; events <= 20'000; ++events) {
      ASSERT_EQ(reader.feed(coded, heard), Progress::kGoesOn);
      ASSERT_EQ(heard.body, event);
      heard.body.clear();
    }
  }
}

TEST(ReplyReader, StopsWhenItsReceiverWantsNoMore) {
  ReplyReader reader;
  Heard heard;
  heard.most = 3;
  EXPECT_EQ(reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", heard),
            Progress::kBroken);
}

RC_GTEST_PROP(ReplyReader, DoesNotCareHowAnAnswerIsCutIntoPieces,
              (const std::vector<std::string>& chunks)) {
  std::string answer = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n";
  const bool chunked = *rc::gen::arbitrary<bool>();
  std::string body;
  std::string coded;
  for (const std::string& chunk : chunks) {
    if (chunk.empty()) continue;
    body += chunk;
    coded += fmt::format("{:x}\r\n{}\r\n", chunk.size(), chunk);
  }
  answer += chunked ? "Transfer-Encoding: chunked\r\n\r\n" + coded + "0\r\n\r\n"
                    : fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
  const auto cuts = *rc::gen::container<std::vector<std::size_t>>(
      rc::gen::inRange<std::size_t>(1, answer.size()));
  const Read whole = read(answer);
  RC_ASSERT(whole.progress == Progress::kDone);
  RC_ASSERT(whole.body == body);
  RC_ASSERT(read(answer, cuts) == whole);
}

}  // namespace
}  // namespace ebb::net
