#include "net/client/reply_head.h"

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

TEST(ReplyHead, TakesWhatClientsWantToKnow) {
  HttpReply reply;
  for (const char* line :
       {"HTTP/1.1 429 Too Many Requests\r\n", "CONTENT-TYPE: application/json \r\n",
        "retry-after: 7\r\n", "Warning: 299 - \"one \\\"thing\\\"\"\r\n", "Date: today\r\n",
        "warning:299 kube \"another\"\r\n", "no header at all\r\n", "\r\n"}) {
    take_head_line(line, reply);
  }
  EXPECT_EQ(reply.code, 429);
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_EQ(reply.retry_after_seconds, 7);
  EXPECT_EQ(reply.warnings, (std::vector<std::string>{"one \"thing\"", "another"}));
}

TEST(ReplyHead, ForgetsWhatAPreliminaryAnswerSaid) {
  HttpReply reply;
  take_head_line("HTTP/1.1 103 Early Hints\r\n", reply);
  take_head_line("Retry-After: 7\r\n", reply);
  take_head_line("HTTP/2 200 \r\n", reply);
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.retry_after_seconds, 0);
}

TEST(ReplyHead, ReadsRetryAfterOnlyIfItIsANumberOfSeconds) {
  struct Row {
    const char* value;
    int seconds;
  };
  for (const Row& row : {Row{"1", 1}, Row{"0", 0}, Row{"", 0}, Row{"-5", 0}, Row{"1.5", 0},
                         Row{"Wed, 21 Oct 2015 07:28:00 GMT", 0}, Row{"100000", 86'400},
                         Row{"99999999999999999999", 86'400}}) {
    HttpReply reply;
    take_head_line(std::string("Retry-After: ") + row.value + "\r\n", reply);
    EXPECT_EQ(reply.retry_after_seconds, row.seconds) << row.value;
  }
}

TEST(ReplyHead, LeavesWarningsOutThatAreNotForPeople) {
  for (const char* value : {"", "299", "299 -", "299 - text", "299 - \"open", "110 - \"stale\"",
                            "299 - \"\"", "299 - \"open\\"}) {
    EXPECT_EQ(warning_text(value), "") << value;
  }
  EXPECT_EQ(warning_text("299 - \"a\" \"Wed, 21 Oct 2015 07:28:00 GMT\""), "a");
}

}  // namespace
}  // namespace ebb::net
