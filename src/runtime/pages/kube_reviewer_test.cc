#include "runtime/pages/kube_reviewer.h"

#include <gtest/gtest.h>

#include "support/net/raw_server.h"
#include "support/threads/guarded.h"

namespace ebb::runtime {
namespace {

using Kind = Verdict::Kind;

struct Answer {
  int code = 201;
  std::string body{};
};

class KubeReviewerTest : public ::testing::Test {
 protected:
  Verdict ask(const Answer& token_review, const Answer& access_review) {
    const support::RawServer server([&](support::RawConnection& connection, int) {
      while (auto request = connection.read_request()) {
        const bool first =
            request->starts_with("POST /apis/authentication.k8s.io/v1/tokenreviews HTTP/1.1\r\n");
        seen_.with([&](auto& seen) { seen.push_back(*request); });
        const Answer& answer = first ? token_review : access_review;
        connection.answer(answer.code, answer.body, "Content-Type: application/json\r\n");
      }
    });
    auto client = kube::Client::make({.server = server.url("")});
    EXPECT_TRUE(client);
    KubeReviewer reviewer(std::move(*client));
    std::optional<Verdict> verdict;
    reviewer.ask("s3cret", "/metrics", [&](Verdict given) { verdict = std::move(given); });
    for (int i = 0; i < 300 && !verdict; ++i) reviewer.poll(kNanosecondsPerSecond / 10);
    EXPECT_TRUE(verdict) << "no verdict";
    return verdict.value_or(Verdict{});
  }

  [[nodiscard]] std::vector<std::string> requests() const { return seen_.get(); }

  const Answer authenticated{
      201, R"({"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"jo"}}})"};
  const Answer allowed{201, R"({"kind":"SubjectAccessReview","status":{"allowed":true}})"};

 private:
  support::Guarded<std::vector<std::string>> seen_;
};

TEST_F(KubeReviewerTest, AuthenticatesTheTokenAndThenAuthorizesTheUser) {
  EXPECT_EQ(ask(authenticated, allowed).kind, Kind::kAllowed);
  const auto seen = requests();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NE(seen[0].find(R"("token":"s3cret")"), std::string::npos);
  EXPECT_TRUE(seen[1].starts_with("POST /apis/authorization.k8s.io/v1/subjectaccessreviews "));
  EXPECT_NE(seen[1].find(R"("user":"jo")"), std::string::npos);
  EXPECT_EQ(seen[1].find("s3cret"), std::string::npos);
}

TEST_F(KubeReviewerTest, DoesNotAuthorizeAnUnauthenticatedToken) {
  EXPECT_EQ(ask({201, R"({"kind":"TokenReview","status":{}})"}, allowed).kind,
            Kind::kUnauthenticated);
  EXPECT_EQ(requests().size(), 1U);
}

TEST_F(KubeReviewerTest, NamesTheForbiddenUser) {
  const Verdict verdict =
      ask(authenticated, {201, R"({"kind":"SubjectAccessReview","status":{}})"});
  EXPECT_EQ(verdict.kind, Kind::kForbidden);
  EXPECT_EQ(verdict.user, "jo");
}

TEST_F(KubeReviewerTest, SaysWhatWentWrong) {
  const Answer forbidden{403, R"({"kind":"Status","message":"tokenreviews is forbidden"})"};
  Verdict verdict = ask(forbidden, allowed);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_EQ(verdict.problem, "TokenReview: tokenreviews is forbidden");
  verdict = ask(authenticated, forbidden);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_EQ(verdict.problem, "SubjectAccessReview: tokenreviews is forbidden");
  EXPECT_EQ(ask({200, "nonsense"}, allowed).kind, Kind::kFailed);
  EXPECT_EQ(ask(authenticated, {200, "nonsense"}).kind, Kind::kFailed);
}

TEST_F(KubeReviewerTest, DoesNotRepeatTheToken) {
  const Verdict verdict =
      ask({400, R"({"kind":"Status","message":"cannot read s3cret"})"}, allowed);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_EQ(verdict.problem.find("s3cret"), std::string::npos) << verdict.problem;
}

}  // namespace
}  // namespace ebb::runtime
