#include "net/address/loopback_host.h"

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

TEST(LoopbackHost, IsThisMachineByNameOrAddress) {
  for (const char* host : {"localhost", "LocalHost", "localhost:10280", "127.0.0.1",
                           "127.0.0.1:10280", "127.1.2.3:1", "[::1]", "[::1]:10280"}) {
    EXPECT_TRUE(is_loopback_host(host)) << host;
  }
}

TEST(LoopbackHost, IsNothingElse) {
  for (const char* host : {"",
                           ":",
                           ":80",
                           "evil.example",
                           "evil.example:10280",
                           "localhost.evil.example",
                           "localhost.",
                           "127.0.0.1.evil.example",
                           "evil.example:127.0.0.1",
                           "127.1",
                           "0177.0.0.1",
                           "2130706433",
                           "0.0.0.0",
                           "10.0.0.1",
                           "::1",
                           "[::1",
                           "[::1]x",
                           "[::1]:",
                           "[::1]:x",
                           "[::2]",
                           "[127.0.0.1]",
                           "[localhost]",
                           "localhost:",
                           "localhost:1x",
                           "localhost:123456",
                           "localhost:80:80",
                           "localhost evil.example",
                           "evil.example@localhost",
                           "localhost,evil.example"}) {
    EXPECT_FALSE(is_loopback_host(host)) << host;
  }
}

}  // namespace
}  // namespace ebb::net
