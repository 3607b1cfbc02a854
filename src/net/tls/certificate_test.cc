#include "net/tls/certificate.h"

#include <gtest/gtest.h>

#include "net/tls/tls_context.h"

namespace ebb::net {
namespace {

TEST(Certificate, IsIssuedAgainByTheSameAuthority) {
  const auto authority = make_authority("ebb test");
  ASSERT_TRUE(authority) << authority.error().message;
  EXPECT_TRUE(check_authority(*authority));
  const auto first = issue_server_certificate(*authority, {"127.0.0.1", "::1", "localhost"});
  const auto second = issue_server_certificate(*authority, {"10.0.0.7", "laptop.example"});
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_NE(first->key_pem, second->key_pem);
  EXPECT_TRUE(make_tls_context(*first));
  EXPECT_TRUE(make_tls_context(*second));
}

TEST(Certificate, IsValidForTheTimeThatIsAskedFor) {
  const auto authority = make_authority("ebb test", 3600);
  ASSERT_TRUE(authority);
  const auto validity = validity_of(authority->certificate_pem);
  ASSERT_TRUE(validity) << validity.error().message;
  const Nanoseconds life = elapsed_ns(validity->not_before, validity->not_after);
  EXPECT_EQ(life / kNanosecondsPerSecond, 3600 + kBackdatedSeconds);
  EXPECT_FALSE(validity_of("nonsense"));
}

TEST(Certificate, RefusesAnInvalidHost) {
  const auto authority = make_authority("ebb test");
  ASSERT_TRUE(authority);
  for (const char* host : {"", "two words", "a,DNS:b", "a/b", "x\ny"}) {
    EXPECT_FALSE(issue_server_certificate(*authority, {host})) << host;
  }
}

TEST(Certificate, NeedsAnAuthorityWhoseKeyFits) {
  const auto one = make_authority("one");
  const auto other = make_authority("other");
  ASSERT_TRUE(one);
  ASSERT_TRUE(other);
  EXPECT_FALSE(check_authority({one->certificate_pem, other->key_pem}));
  EXPECT_FALSE(check_authority({one->certificate_pem, "no key"}));
  EXPECT_FALSE(check_authority({"no certificate", one->key_pem}));
  EXPECT_FALSE(make_tls_context({one->certificate_pem, other->key_pem}));
}

}  // namespace
}  // namespace ebb::net
