#include "runtime/pages/allowed_paths.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

AllowedPaths paths(std::string_view list) {
  auto parsed = AllowedPaths::parse(list);
  EXPECT_TRUE(parsed) << list;
  return parsed ? *parsed : AllowedPaths{};
}

TEST(AllowedPaths, AreComparedExactly) {
  const AllowedPaths probes = paths(kAlwaysAllowedByDefault);
  for (const char* path : {"/healthz", "/livez", "/readyz"}) {
    EXPECT_TRUE(probes.contains(path)) << path;
  }
  for (const char* path : {"/", "/metrics", "/livez/", "/livez/x", "/livezz", "/LIVEZ", "//livez",
                           "/livez/../metrics"}) {
    EXPECT_FALSE(probes.contains(path)) << path;
  }
}

TEST(AllowedPaths, MayEndInAStar) {
  const AllowedPaths some = paths("/livez/*,/met*");
  EXPECT_TRUE(some.contains("/livez/"));
  EXPECT_TRUE(some.contains("/livez/ping"));
  EXPECT_FALSE(some.contains("/livez"));
  EXPECT_TRUE(some.contains("/metrics"));
  EXPECT_TRUE(paths("*").contains("/decisions"));
  EXPECT_TRUE(paths("/*").contains("/decisions"));
}

TEST(AllowedPaths, MayBeNoneOrTheRoot) {
  EXPECT_FALSE(paths("").contains("/"));
  EXPECT_FALSE(paths("").contains("/livez"));
  EXPECT_TRUE(paths("/").contains("/"));
  EXPECT_FALSE(paths("/").contains("/livez"));
}

TEST(AllowedPaths, HaveNoStarElsewhere) {
  for (const char* list : {"/a*b", "**", "/livez,/*/x"}) {
    const auto parsed = AllowedPaths::parse(list);
    ASSERT_FALSE(parsed) << list;
    EXPECT_NE(parsed.error().message.find("only trailing * allowed in"), std::string::npos);
  }
}

}  // namespace
}  // namespace ebb::runtime
