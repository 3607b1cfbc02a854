#include "net/tls/secret.h"

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

TEST(Secret, TokensAreLongAndDiffer) {
  EXPECT_EQ(random_token().size(), 64U);
  EXPECT_NE(random_token(), random_token());
}

TEST(Secret, EqualityLooksAtEverything) {
  EXPECT_TRUE(equal_secrets("abc", "abc"));
  EXPECT_TRUE(equal_secrets("", ""));
  EXPECT_FALSE(equal_secrets("abc", "abd"));
  EXPECT_FALSE(equal_secrets("abc", "abcd"));
  EXPECT_FALSE(equal_secrets("abc", ""));
}

}  // namespace
}  // namespace ebb::net
