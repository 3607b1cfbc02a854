// Secrets of tenants with unusable client certificates. The process survives each of them, the
// outcome says what is wrong without quoting the Secret, and other tenants are served.
#include <gtest/gtest.h>

#include "net/tls/certificate.h"
#include "schema/core/picker_rules.h"
#include "support/net/identities.h"
#include "support/net/raw_server.h"
#include "support/picker/hostile.h"
#include "support/picker/picker_client_scene.h"

namespace ebb::picker_client {
namespace {

using net::KeyPair;
using picker::Outcome;
using support::KeyKind;
using support::kSentinel;
using support::make_identity;
using support::PickerClientScene;
using support::RawConnection;
using support::RawServer;
using support::with;

class HostileCertificateTest : public ::testing::Test {
 protected:
  [[nodiscard]] picker::Call call_with(const KeyPair& pair) const {
    picker::Call call = with(scene.call(server.port()), [&](picker::Settings& settings) {
      settings.tls = true;
      settings.ca_pem = authority.certificate_pem;
      settings.client_certificate = "pair";
    });
    call.certificate_pem = pair.certificate_pem;
    call.key_pem = pair.key_pem;
    return call;
  }
  void expect_served() {
    const picker::Reply reply = scene.ask_and_wait(call_with(good));
    EXPECT_EQ(reply.outcome, Outcome::kEmpty) << reply.detail;
  }
  void expect_refused(const KeyPair& pair, const std::string& problem) {
    const std::size_t dialled = scene.dialer().dialled().size();
    const picker::Reply reply = scene.ask_and_wait(call_with(pair));
    EXPECT_EQ(to_string(reply.outcome), to_string(Outcome::kBadSettings)) << problem;
    EXPECT_EQ(reply.detail, problem);
    EXPECT_FALSE(reply.asked);
    EXPECT_FALSE(reply.repeatable);
    EXPECT_EQ(scene.dialer().dialled().size(), dialled) << "was called: " << problem;
    expect_served();
  }

  const KeyPair authority = net::make_authority("good").value();
  const KeyPair own = net::issue_server_certificate(authority, {"127.0.0.1"}).value();
  const KeyPair good = make_identity();
  RawServer server{[](RawConnection& connection, int) {
                     while (connection.read_request()) connection.answer(200, "{}");
                   },
                   support::RawTls{own.certificate_pem, own.key_pem, true}};
  PickerClientScene scene;
};

TEST_F(HostileCertificateTest, IsEncrypted) {
  constexpr const char* kKey =
      "the private key in Secret pair is encrypted; expected one without a passphrase";
  for (const KeyKind kind : {KeyKind::kP256, KeyKind::kRsa}) {
    const KeyPair pair = make_identity(kind);
    expect_refused({pair.certificate_pem, support::encrypted(pair.key_pem)}, kKey);
    expect_refused({pair.certificate_pem, support::traditional(pair.key_pem, true)}, kKey);
    expect_refused({support::marked_as_encrypted(pair.certificate_pem), pair.key_pem},
                   "the certificate in Secret pair is encrypted");
  }
}

TEST_F(HostileCertificateTest, IsCutOff) {
  expect_refused({good.certificate_pem, good.key_pem.substr(0, good.key_pem.size() / 2)},
                 "the private key in Secret pair is not valid PEM");
  expect_refused({good.certificate_pem.substr(0, good.certificate_pem.size() / 2), good.key_pem},
                 "the certificate in Secret pair is not valid PEM");
}

TEST_F(HostileCertificateTest, IsNotACertificate) {
  expect_refused({good.certificate_pem, kSentinel},
                 "the private key in Secret pair is missing: the text has no private key in PEM");
  expect_refused(
      {std::string("-----BEGIN CERTIFICATE-----\n") + kSentinel + "\n-----END CERTIFICATE-----\n",
       good.key_pem},
      "the certificate in Secret pair cannot be read; expected X.509 in PEM");
}

TEST_F(HostileCertificateTest, DoesNotMatchItsKey) {
  expect_refused({good.certificate_pem, make_identity().key_pem},
                 "the private key in Secret pair does not belong to the certificate");
}

TEST_F(HostileCertificateTest, IsOutOfDate) {
  expect_refused(make_identity(KeyKind::kP256, -7200, -60),
                 "the certificate in Secret pair has expired");
  expect_refused(make_identity(KeyKind::kP256, 3600, 7200),
                 "the certificate in Secret pair is not valid yet");
}

TEST_F(HostileCertificateTest, IsHuge) {
  const std::string padding(1UL << 20U, '\n');
  expect_refused({good.certificate_pem + padding, good.key_pem},
                 "the certificate in Secret pair is longer than 65536 bytes");
  expect_refused({good.certificate_pem, good.key_pem + padding},
                 "the private key in Secret pair is longer than 65536 bytes");
  expect_refused(support::make_bloated_identity(50'000),
                 "the private key in Secret pair is not a usable RSA key");
}

TEST_F(HostileCertificateTest, IsAnAuthorityThatCannotBeRead) {
  picker::Call call = with(call_with(good), [&](picker::Settings& settings) {
    settings.ca_pem = support::marked_as_encrypted(authority.certificate_pem);
  });
  picker::Reply reply = scene.ask_and_wait(call);
  EXPECT_EQ(reply.outcome, Outcome::kBadSettings);
  EXPECT_EQ(reply.detail, "the certificate in caBundle is encrypted");
  expect_served();
}

}  // namespace
}  // namespace ebb::picker_client
