#include "runtime/controllers.h"

#include <sstream>

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

// A label has 63 characters at most, so that this is known without asking a name server.
kube::ClusterAccess unknown_server() {
  kube::ClusterAccess access;
  access.server = "https://" + std::string(70, 'a') + ":6443";
  return access;
}

TEST(Controllers, DoNotStartWhereTheApiServersAddressIsUnknown) {
  std::ostringstream log;
  const auto made = Controllers::make({}, unknown_server(), log);
  ASSERT_FALSE(made);
  EXPECT_TRUE(made.error().message.starts_with(
      "cannot resolve the API server's address, which picker calls must not reach: aaa"))
      << made.error().message;
}

TEST(Controllers, AskNoPickersWhereOnlyAProxyKnowsTheApiServer) {
  std::ostringstream log;
  kube::ClusterAccess access = unknown_server();
  access.proxy_url = "http://127.0.0.1:9";
  {
    const auto made = Controllers::make({}, std::move(access), log);
    ASSERT_TRUE(made) << made.error().message;
  }
  // A thread of its own has written the log by now.
  EXPECT_NE(log.str().find("pickers will not be called: cannot resolve the API server's address"),
            std::string::npos)
      << log.str();
}

}  // namespace
}  // namespace ebb::runtime
