#include "apiserver/handlers/access_reviews.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::apiserver {
namespace {

constexpr std::string_view kAuthorization = "/apis/authorization.k8s.io/v1";

model::ApiRequest post(std::string path, std::string body) {
  return {.method = model::Method::kPost,
          .path = std::move(path),
          .content_type = "application/json",
          .body = std::move(body)};
}

std::string status_of(std::string path, std::string body) {
  const auto review = answer_review(post(std::move(path), std::move(body)));
  if (!review) return "no review";
  if (!review->answer) return review->answer.error().message;
  return boost::json::serialize(review->answer->at("status"));
}

TEST(Reviews, AllowEverything) {
  const std::string body = R"({"spec":{"resourceAttributes":{"verb":"delete","resource":"pods"}}})";
  const std::string allowed = R"({"allowed":true,"reason":"everything is allowed here"})";
  for (const char* path : {"/selfsubjectaccessreviews", "/subjectaccessreviews",
                           "/namespaces/shop/localsubjectaccessreviews"}) {
    EXPECT_EQ(status_of(std::string(kAuthorization) + path, body), allowed) << path;
  }
  EXPECT_EQ(status_of(std::string(kAuthorization) + "/selfsubjectrulesreviews",
                      R"({"spec":{"namespace":"shop"}})"),
            R"({"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"]}],)"
            R"("nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}],"incomplete":false})");
}

TEST(Reviews, NameTheUser) {
  EXPECT_EQ(status_of("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}"),
            R"({"userInfo":{"username":"ebb-admin",)"
            R"("groups":["system:masters","system:authenticated"]}})");
}

TEST(Reviews, NameTheImpersonatedUser) {
  struct Case {
    model::Impersonation as;
    std::string_view info;
  };
  for (const Case& one : {
           Case{{.user = "bob"}, R"({"username":"bob","groups":["system:authenticated"]})"},
           Case{{.user = "bob", .uid = "7", .groups = {"a", "b"}, .extra = {{"k", {"x", "y"}}}},
                R"({"username":"bob","uid":"7","groups":["a","b","system:authenticated"],)"
                R"("extra":{"k":["x","y"]}})"},
           Case{{.user = "bob", .groups = {"system:unauthenticated"}},
                R"({"username":"bob","groups":["system:unauthenticated"]})"},
           Case{{.user = "system:anonymous"},
                R"({"username":"system:anonymous","groups":["system:unauthenticated"]})"},
           Case{
               {.user = "system:serviceaccount:shop:web"},
               R"({"username":"system:serviceaccount:shop:web","groups":["system:serviceaccounts",)"
               R"("system:serviceaccounts:shop","system:authenticated"]})"},
           Case{{.user = "system:serviceaccount:shop"},
                R"({"username":"system:serviceaccount:shop","groups":["system:authenticated"]})"},
       }) {
    EXPECT_EQ(boost::json::serialize(user_info(one.as)), one.info);
    EXPECT_TRUE(check_impersonation(one.as).has_value());
  }
}

TEST(Reviews, WantAUserForGroups) {
  EXPECT_TRUE(check_impersonation({}).has_value());
  const auto refused = check_impersonation({.groups = {"a", "b"}, .extra = {{"k", {"x"}}}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, 400);
  EXPECT_EQ(refused.error().message,
            R"(requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a", "b"}, )"
            R"(Extra:map[string][]string{"k":[]string{"x"}}} without impersonating a user name)");
}

TEST(Reviews, WantToKnowExactlyOneThing) {
  for (const char* spec :
       {"{}", R"({"resourceAttributes":{"verb":"get"},"nonResourceAttributes":{"verb":"get"}})"}) {
    EXPECT_NE(status_of(std::string(kAuthorization) + "/selfsubjectaccessreviews",
                        std::string(R"({"spec":)") + spec + "}")
                  .find("exactly one of nonResourceAttributes or resourceAttributes"),
              std::string::npos);
  }
}

TEST(Reviews, AreNothingElse) {
  for (const char* path :
       {"/apis/authorization.k8s.io/v1", "/apis/authorization.k8s.io/v2/subjectaccessreviews",
        "/apis/authorization.k8s.io/v1/localsubjectaccessreviews",
        "/apis/authorization.k8s.io/v1/namespaces//localsubjectaccessreviews",
        "/apis/authorization.k8s.io/v1/namespaces/a/b/localsubjectaccessreviews",
        "/apis/authorization.k8s.io/v1/xsubjectaccessreviews", "/api/v1/pods"}) {
    EXPECT_FALSE(answer_review(post(path, "{}")).has_value()) << path;
  }
  model::ApiRequest get = post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "");
  get.method = model::Method::kGet;
  const auto review = answer_review(get);
  ASSERT_TRUE(review.has_value());
  ASSERT_FALSE(review->answer.has_value());
  EXPECT_EQ(review->answer.error().code, 405);
}

}  // namespace
}  // namespace ebb::apiserver
