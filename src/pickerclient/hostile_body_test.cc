// Pickers whose answers are too long, truncated, or not of the declared type.
#include <atomic>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "picker/outcome.h"
#include "support/picker/hostile.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using picker::kMaxAnswerBytes;
using picker::Outcome;
using support::gzip;
using support::kSentinel;
using support::RawConnection;

// Reads the request, then sends this as it is, and waits for the client to go.
support::RawServer::Script sends(std::string text) {
  return [text = std::move(text)](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(text);
    (void)connection.is_closed_by_client();
  };
}

// The same, but then the connection ends.
support::RawServer::Script sends_and_closes(std::string text) {
  return [text = std::move(text)](RawConnection& connection, int) {
    (void)connection.read_request();
    connection.write(text);
  };
}

support::RawServer::Script answers(std::string body, std::string headers = "") {
  return [body = std::move(body), headers = std::move(headers)](RawConnection& connection, int) {
    while (connection.read_request()) connection.answer(200, body, headers);
  };
}

// An answer of exactly so many bytes, with one name.
std::string answer_of_size(std::size_t size) {
  std::string answer = R"({"chosen_pods":["a"])";
  answer.append(size - answer.size() - 1, ' ');
  return answer + "}";
}

constexpr const char* kGzip = "Content-Encoding: gzip\r\n";

TEST(HostilePicker, SendsTooMuch) {
  support::expect_outcomes({
      {"exactly the limit", answers(answer_of_size(kMaxAnswerBytes)), Outcome::kAnswered, false},
      {"one byte more", answers(answer_of_size(kMaxAnswerBytes + 1)), Outcome::kOversize, false},
      {"announces one byte more and waits",
       sends(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", kMaxAnswerBytes + 1)),
       Outcome::kOversize, false},
      {"announces more than fits into a number",
       sends("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\n"),
       Outcome::kOversize, false},
      {"one byte more in chunks",
       sends(fmt::format(
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
           kMaxAnswerBytes + 1, answer_of_size(kMaxAnswerBytes + 1))),
       Outcome::kOversize, false},
      {"one byte more until the connection ends",
       sends_and_closes("HTTP/1.1 200 OK\r\n\r\n" + answer_of_size(kMaxAnswerBytes + 1)),
       Outcome::kOversize, false},
      {"packed, exactly the limit", answers(gzip(answer_of_size(kMaxAnswerBytes)), kGzip),
       Outcome::kAnswered, false},
      {"packed, one byte more", answers(gzip(answer_of_size(kMaxAnswerBytes + 1)), kGzip),
       Outcome::kOversize, false},
      {"a bomb", answers(gzip(std::string(64UL << 20U, ' ')), kGzip), Outcome::kOversize, false},
      {"a bomb in a bomb",
       answers(gzip(gzip(std::string(64UL << 20U, ' '))), "Content-Encoding: gzip, gzip\r\n"),
       Outcome::kOversize, false},
      {"an error with an endless body",
       [](RawConnection& connection, int) {
         (void)connection.read_request();
         connection.write("HTTP/1.1 500 X\r\n\r\n");
         while (connection.write(std::string(65536, 'x'))) {
         }
       },
       Outcome::kStatusCode, true},
  });
}

TEST(HostilePicker, SendsForEverAndIsCutOff) {
  // Sockets hold some megabytes each way. Without a limit these would send until the budget ends.
  constexpr std::uint64_t kBuffers = 32UL << 20U;
  std::atomic<std::uint64_t> body = 0;
  std::atomic<std::uint64_t> packed = 0;
  std::atomic<std::uint64_t> heads = 0;
  const auto pours = [](std::string start, std::string piece, std::atomic<std::uint64_t>& count) {
    return [start = std::move(start), piece = std::move(piece), &count](RawConnection& connection,
                                                                        int) {
      (void)connection.read_request();
      connection.write(start);
      while (connection.write(piece)) count += piece.size();
    };
  };
  const std::string chunk = fmt::format("{:x}\r\n{}\r\n", 8192, std::string(8192, ' '));
  // A block of no bytes, over and over: it unpacks to nothing.
  const std::string gzip_head("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  std::string nothing;
  for (int i = 0; i < 1000; ++i) nothing += std::string("\x00\x00\x00\xff\xff", 5);
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += fmt::format("X-{}: {}\r\n", i, std::string(100, 'x'));
  support::expect_outcomes(
      {{"endless chunks",
        pours("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk, body),
        Outcome::kOversize, false},
       {"endlessly unpacks to nothing",
        pours(fmt::format("HTTP/1.1 200 OK\r\n{}\r\n{}", kGzip, gzip_head), nothing, packed),
        Outcome::kOversize, false},
       {"endless head", pours("HTTP/1.1 200 OK\r\n", lines, heads), Outcome::kOversize, false},
       {"endless line of the head", pours("HTTP/1.1 200 OK\r\nX: ", std::string(8192, 'x'), heads),
        Outcome::kOversize, false},
       {"endless trailers",
        pours("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", lines, heads),
        Outcome::kOversize, false},
       {"endless preliminary answers",
        pours("", "HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n", heads),
        Outcome::kOversize, false}},
      {.budget_ns = 30 * kNanosecondsPerSecond});
  EXPECT_LT(body, kMaxAnswerBytes + kBuffers);
  EXPECT_LT(packed, kMaxAnswerBytes + kBuffers);
  EXPECT_LT(heads, 4 * kBuffers);
}

TEST(HostilePicker, SendsTooLittle) {
  const std::string packed = gzip(R"({"chosen_pods":["a"]})");
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  support::expect_outcomes({
      {"half a body", sends_and_closes(ok + "Content-Length: 50\r\n\r\n{\"chosen"),
       Outcome::kMalformed, true},
      {"half a body without length", sends_and_closes(ok + "\r\n{\"chosen_pods\":[\"a\""),
       Outcome::kMalformed, true},
      {"half a chunk", sends_and_closes(ok + "Transfer-Encoding: chunked\r\n\r\n20\r\n{\"chosen"),
       Outcome::kMalformed, true},
      {"no last chunk", sends_and_closes(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
       Outcome::kMalformed, true},
      {"half a packed body", answers(packed.substr(0, packed.size() / 2), kGzip),
       Outcome::kMalformed, true},
      {"not packed at all", answers(kSentinel, kGzip), Outcome::kMalformed, true},
      {"packed by nobody", answers("{}", "Content-Encoding: nobody\r\n"), Outcome::kMalformed,
       true},
      {"packed too often",
       answers("{}", "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\n"),
       Outcome::kMalformed, true},
      {"less than it says, then a second answer",
       sends_and_closes(ok + "Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nxx"),
       Outcome::kEmpty, false},
      {"half a head", sends_and_closes(ok + "Content-Le"), Outcome::kMalformed, true},
  });
}

TEST(HostilePicker, LiesAboutLengths) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  support::expect_outcomes({
      {"a length below zero", sends_and_closes("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}"),
       Outcome::kMalformed, true},
      {"a length in words", sends_and_closes("HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}"),
       Outcome::kMalformed, true},
      {"a chunk in words", sends_and_closes(chunked + "zz\r\n{}\r\n0\r\n\r\n"), Outcome::kMalformed,
       true},
      {"a chunk below zero", sends_and_closes(chunked + "-2\r\n{}\r\n0\r\n\r\n"),
       Outcome::kMalformed, true},
      {"a chunk longer than memory",
       sends_and_closes(chunked + "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"), Outcome::kMalformed,
       true},
      {"a chunk of nearly all memory", sends_and_closes(chunked + "7ffffffffffffff0\r\n{}"),
       Outcome::kMalformed, true},
      {"a chunk without its end", sends_and_closes(chunked + "2\r\n{}garbage\r\n0\r\n\r\n"),
       Outcome::kMalformed, true},
  });
}

TEST(HostilePicker, AnswersWithInvalidOrUnexpectedBodies) {
  std::string deep(100'000, '[');
  const std::string longest = fmt::format(R"({{"chosen_pods":["{}"]}})", std::string(900'000, 'x'));
  std::string many = R"({"chosen_pods":["a")";
  for (int i = 0; i < 250'000; ++i) many += R"(,"")";
  many += "]}";
  ASSERT_LT(many.size(), kMaxAnswerBytes);
  support::expect_outcomes({
      {"no JSON", answers(kSentinel), Outcome::kMalformed, true},
      {"no UTF-8", answers("{\"chosen_pods\":[\"\xff\xfe\"]}"), Outcome::kMalformed, true},
      {"half a character", answers("{\"chosen_pods\":[\"\xe2\x82\"]}"), Outcome::kMalformed, true},
      {"half a surrogate", answers(R"({"chosen_pods":["\ud800"]})"), Outcome::kMalformed, true},
      {"a list", answers("[]"), Outcome::kMalformed, true},
      {"a text", answers("\"SENTINEL\""), Outcome::kMalformed, true},
      {"a number", answers("12"), Outcome::kMalformed, true},
      {"names that are numbers", answers(R"({"chosen_pods":[1,2]})"), Outcome::kMalformed, true},
      {"names that are null", answers(R"({"chosen_pods":[null]})"), Outcome::kMalformed, true},
      {"names that are lists", answers(R"({"tied_pods":[["a"]]})"), Outcome::kMalformed, true},
      {"a map for a list", answers(R"({"tied_pods":{"a":1}})"), Outcome::kMalformed, true},
      {"a text for a list", answers(R"({"chosen_pods":"a"})"), Outcome::kMalformed, true},
      {"nulls", answers(R"({"chosen_pods":null,"tied_pods":null})"), Outcome::kEmpty, false},
      {"a huge number beside", answers(R"({"chosen_pods":["a"],"n":1e999999})"),
       Outcome::kMalformed, true},
      {"a long number beside",
       answers(R"({"chosen_pods":["a"],"n":)" + std::string(10'000, '9') + "}"),
       Outcome::kMalformed, true},
      {"deep nesting", answers(deep), Outcome::kMalformed, true},
      {"deep nesting in a list", answers(R"({"chosen_pods":)" + deep), Outcome::kMalformed, true},
      {"deep nesting beside",
       answers(R"({"chosen_pods":["a"],"x":)" + deep + std::string(100'000, ']') + "}"),
       Outcome::kMalformed, true},
      {"more behind the end", answers(R"({"chosen_pods":["a"]} {"chosen_pods":["b"]})"),
       Outcome::kMalformed, true},
      {"a byte order mark", answers("\xef\xbb\xbf{\"chosen_pods\":[\"a\"]}"), Outcome::kMalformed,
       true},
      {"a NUL", answers(std::string("{\"chosen_pods\":[\"a\"]}\0", 22)), Outcome::kMalformed, true},
      {"the same name twice", answers(R"({"chosen_pods":["a","a"]})"), Outcome::kAnswered, false},
      {"a name in both lists", answers(R"({"chosen_pods":["a"],"tied_pods":["a"]})"),
       Outcome::kAnswered, false},
      {"names of others", answers(R"({"chosen_pods":["kube-system/etcd","../../x"]})"),
       Outcome::kAnswered, false},
      {"one very long name", answers(longest), Outcome::kAnswered, false},
      {"a quarter million names", answers(many), Outcome::kAnswered, false},
      {"another type than JSON", answers("{}", "Content-Type: text/html\r\n"), Outcome::kEmpty,
       false},
  });
}

}  // namespace
}  // namespace ebb::picker_client
