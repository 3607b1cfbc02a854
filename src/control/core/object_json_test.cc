#include "control/core/object_json.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

Answer answer(int code, std::string body) {
  Answer made;
  made.response.code = code;
  made.response.body = model::Bytes(std::move(body));
  return made;
}

TEST(ReadWritten, FindsTheMetadataAtAnyPosition) {
  const auto written = read_written(answer(201, R"({"spec":{"metadata":{"uid":"x"}},"metadata":{
      "labels":{"uid":"no"},"name":"a-b","uid":"u-1","resourceVersion":"42"},"status":{}})"));
  ASSERT_TRUE(written);
  EXPECT_EQ(written->name, "a-b");
  EXPECT_EQ(written->uid, "u-1");
  EXPECT_EQ(written->revision, 42U);
  EXPECT_FALSE(written->deleting);
}

TEST(ReadWritten, SeesADeletionTimestamp) {
  const auto written = read_written(
      answer(200, R"({"metadata":{"uid":"u","deletionTimestamp":"2026-11-01T12:00:00Z"}})"));
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->deleting);
  const auto alive =
      read_written(answer(200, R"({"metadata":{"uid":"u","deletionTimestamp":null}})"));
  ASSERT_TRUE(alive);
  EXPECT_FALSE(alive->deleting);
}

TEST(ReadWritten, GivesNothingWhereThereIsNothing) {
  for (const char* body : {"", "{}", "[1]", "null", R"({"metadata":5})", R"({"metadata":{}})",
                           R"({"metadata":{"name":"a"}})", R"({"metadata":{"uid":"u")", "{\"a"}) {
    EXPECT_FALSE(read_written(answer(200, body))) << body;
  }
}

TEST(RevisionNumber, IsADecimalNumberOrNothing) {
  EXPECT_EQ(revision_number("123"), 123U);
  for (const char* text : {"", "abc", "12x", "-1", " 1", "99999999999999999999"}) {
    EXPECT_EQ(revision_number(text), 0U) << text;
  }
}

TEST(ErrorText, UsesTheServersWords) {
  EXPECT_EQ(error_text(answer(403, R"({"kind":"Status","message":"exceeded quota"})")),
            "exceeded quota");
  EXPECT_EQ(error_text(answer(502, "<html>")), "the API server answered 502");
  EXPECT_EQ(error_text(answer(0, "")), "the API server did not answer");
  EXPECT_EQ(error_text({.outcome = Answer::Outcome::kUnknown}), "the API server did not answer");
  EXPECT_EQ(error_text({.outcome = Answer::Outcome::kNotSent}), "the request could not be sent");
}

// A webhook may deny each of a tenant's pods with a different message of this size.
TEST(ErrorText, LeavesOutTheMiddleOfALongMessage) {
  const std::string message = "denied: " + std::string(300'000, 'x') + ": the end";
  for (const Answer& each : {answer(403, R"({"kind":"Status","message":")" + message + R"("})"),
                             Answer{.outcome = Answer::Outcome::kUnknown, .error = message},
                             Answer{.outcome = Answer::Outcome::kNotSent, .error = message}}) {
    const std::string text = error_text(each);
    EXPECT_LE(text.size(), 1024U);
    EXPECT_NE(text.find("denied: xxx"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("xxx: the end")) << text;
  }
}

}  // namespace
}  // namespace ebb::control
