#include "runtime/pages/loopback_access.h"

#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

std::optional<Refusal> check(std::string host) {
  net::HttpRequest request;
  request.path = "/metrics";
  request.host = std::move(host);
  std::optional<Refusal> refusal;
  int calls = 0;
  LoopbackAccess().check(request, [&](std::optional<Refusal> answer) {
    ++calls;
    refusal = std::move(answer);
  });
  EXPECT_EQ(calls, 1) << request.host;
  return refusal;
}

TEST(LoopbackAccess, IsForProgramsOnTheMachine) {
  for (const char* host : {"localhost", "localhost:10259", "127.0.0.1:80", "[::1]:10259"}) {
    EXPECT_FALSE(check(host).has_value()) << host;
  }
}

TEST(LoopbackAccess, IsNotForWebPagesWhoseNameLeadsToTheMachine) {
  for (const char* host : {"", "attacker.example", "localhost.attacker.example:10259",
                           "127.0.0.1.attacker.example", "10.0.0.7"}) {
    const auto refusal = check(host);
    ASSERT_TRUE(refusal.has_value()) << host;
    EXPECT_EQ(refusal->code, 403) << host;
  }
}

}  // namespace
}  // namespace ebb::runtime
