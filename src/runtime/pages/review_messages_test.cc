#include "runtime/pages/review_messages.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

TEST(ReviewMessages, FindTheTokenOfAHeader) {
  EXPECT_EQ(bearer_token("Bearer abc.DEF-1_2~3+4/5="), "abc.DEF-1_2~3+4/5=");
  EXPECT_EQ(bearer_token("bEaReR x"), "x");
  for (const std::string& header :
       {std::string(), std::string("Bearer"), std::string("Bearer "), std::string("Basic abc"),
        std::string("Bearer  x"), std::string("Bearer x y"), std::string("Bearer \xff"),
        std::string("Bearer \"x\""), std::string("Bearerx"),
        "Bearer " + std::string((16UL << 10) + 1, 'x')}) {
    EXPECT_FALSE(bearer_token(header)) << header.substr(0, 40);
  }
}

TEST(ReviewMessages, AskWhoseATokenIs) {
  EXPECT_EQ(token_review("abc"), R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview",)"
                                 R"("spec":{"token":"abc"}})");
}

TEST(ReviewMessages, HandTheUserOnAsItCame) {
  const auto user = read_token_review(
      R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jo","uid":"u1",
      "groups":["a","b"],"extra":{"k":["v","w"]}}}})");
  ASSERT_TRUE(user && *user);
  EXPECT_EQ(access_review(**user, "/metrics"),
            R"({"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{)"
            R"("nonResourceAttributes":{"path":"/metrics","verb":"get"},"user":"jo","uid":"u1",)"
            R"("groups":["a","b"],"extra":{"k":["v","w"]}}})");
}

TEST(ReviewMessages, TellABadTokenFromABadAnswer) {
  for (const char* body : {R"({"kind":"TokenReview","status":{}})",
                           R"({"kind":"TokenReview","status":{"authenticated":false}})",
                           R"({"kind":"TokenReview","status":{"authenticated":"true"}})",
                           R"({"kind":"TokenReview","status":{"error":"expired"}})"}) {
    const auto user = read_token_review(body);
    ASSERT_TRUE(user) << body;
    EXPECT_FALSE(*user) << body;
  }
  for (const char* body :
       {"", "[]", "{}", "{\"kind\":\"TokenReview\"}",
        R"({"kind":"Status","status":{"authenticated":true,"user":{"username":"jo"}}})",
        R"({"kind":"TokenReview","status":{"authenticated":true}})",
        R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":7}}})"}) {
    EXPECT_FALSE(read_token_review(body)) << body;
  }
}

TEST(ReviewMessages, AllowOnlyWhatIsAllowed) {
  const auto read = [](const char* status) {
    return read_access_review(std::string(R"({"kind":"SubjectAccessReview","status":)") + status +
                              "}");
  };
  EXPECT_EQ(read(R"({"allowed":true})"), true);
  EXPECT_EQ(read(R"({"allowed":false})"), false);
  EXPECT_EQ(read(R"({"allowed":"true"})"), false);
  EXPECT_EQ(read(R"({"allowed":true,"denied":true})"), false);
  EXPECT_EQ(read("{}"), false);
  EXPECT_FALSE(read("null"));
  EXPECT_FALSE(read_access_review("nonsense"));
}

}  // namespace
}  // namespace ebb::runtime
