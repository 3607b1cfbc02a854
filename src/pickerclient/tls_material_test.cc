// Cases that hostile_certificate_test.cc does not cover: calls without TLS material, and material
// that does not come from a Secret.
#include "pickerclient/tls_material.h"

#include <ctime>
#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "net/tls/certificate.h"
#include "support/net/identities.h"

namespace ebb::picker_client {
namespace {

Timestamp wall_now() { return Timestamp::from_seconds(std::time(nullptr)); }

picker::Call call_with(picker::Settings settings, const net::KeyPair& pair = {}) {
  picker::Call call;
  call.settings = std::make_shared<const picker::Settings>(std::move(settings));
  call.certificate_pem = pair.certificate_pem;
  call.key_pem = pair.key_pem;
  return call;
}

TEST(TlsMaterial, IsNotLookedAtWithoutTls) {
  picker::Call call = call_with({.ca_pem = "nonsense"}, {"nonsense", "nonsense"});
  EXPECT_TRUE(check_tls_material(call, wall_now()));
  EXPECT_EQ(call.key_pem, "nonsense");
}

TEST(TlsMaterial, MayBeMissing) {
  picker::Call call = call_with({.tls = true});
  EXPECT_TRUE(check_tls_material(call, wall_now()));
}

TEST(TlsMaterial, NamesTheBundleOrTheSecretOrTheClientThatItIsFrom) {
  picker::Call bundle = call_with({.tls = true, .ca_pem = "nonsense"});
  const auto of_bundle = check_tls_material(bundle, wall_now());
  ASSERT_FALSE(of_bundle);
  EXPECT_NE(of_bundle.error().message.find("in caBundle"), std::string::npos);

  const net::KeyPair pair = support::make_identity();
  picker::Call secret = call_with({.tls = true, .client_certificate = "s"},
                                  {pair.certificate_pem, support::make_identity().key_pem});
  const auto of_secret = check_tls_material(secret, wall_now());
  ASSERT_FALSE(of_secret);
  EXPECT_NE(of_secret.error().message.find("in Secret s"), std::string::npos)
      << of_secret.error().message;

  picker::Call file = call_with({.tls = true}, {pair.certificate_pem, {}});
  const auto of_file = check_tls_material(file, wall_now());
  ASSERT_FALSE(of_file) << "a certificate without its key";
  EXPECT_NE(of_file.error().message.find("of the client"), std::string::npos)
      << of_file.error().message;
}

// curl gets the parsed material, without the text around it.
TEST(TlsMaterial, IsReplacedByWhatWasUnderstood) {
  const net::KeyPair pair = support::make_identity();
  picker::Call call = call_with(
      {.tls = true}, {"a remark\n" + pair.certificate_pem, "another remark\n" + pair.key_pem});
  ASSERT_TRUE(check_tls_material(call, wall_now()));
  EXPECT_TRUE(call.certificate_pem.starts_with("-----BEGIN")) << call.certificate_pem;
  EXPECT_TRUE(call.key_pem.starts_with("-----BEGIN"));
}

}  // namespace
}  // namespace ebb::picker_client
