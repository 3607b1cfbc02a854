#include "net/tls/client_identity.h"

#include <chrono>

#include <gtest/gtest.h>

#include "support/net/identities.h"

namespace ebb::net {
namespace {

using support::encrypted;
using support::KeyKind;
using support::make_identity;
using support::marked_as_encrypted;
using support::traditional;

Timestamp now() {
  return Timestamp::from_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::system_clock::now().time_since_epoch())
                                         .count());
}

Result<ClientIdentity> parse(const std::string& certificate, const std::string& key,
                             IdentityLimits limits = {}) {
  return parse_client_identity({.pem = certificate, .origin = "in Secret pair"},
                               {.pem = key, .origin = "in Secret pair"}, limits);
}

std::string problem(const std::string& certificate, const std::string& key,
                    IdentityLimits limits = {}) {
  const auto parsed = parse(certificate, key, limits);
  return parsed ? "none" : parsed.error().message;
}

std::string check(const std::string& authorities) {
  const auto checked = check_authorities({.pem = authorities, .origin = "in caBundle"});
  return checked ? "none" : checked.error().message;
}

TEST(ClientIdentity, TakesKeysOfTheKindsInUse) {
  for (const KeyKind kind : {KeyKind::kP256, KeyKind::kP384, KeyKind::kRsa, KeyKind::kEd25519}) {
    const KeyPair pair = make_identity(kind);
    const auto parsed = parse(pair.certificate_pem, pair.key_pem, {.now = now()});
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->certificate_pem, pair.certificate_pem);
    EXPECT_EQ(parsed->key_pem, pair.key_pem);
  }
}

TEST(ClientIdentity, TakesTraditionalKeysAndHandsOutOneForm) {
  for (const KeyKind kind : {KeyKind::kP256, KeyKind::kRsa}) {
    const KeyPair pair = make_identity(kind);
    const std::string old = traditional(pair.key_pem, false);
    ASSERT_NE(old, pair.key_pem);
    const auto parsed = parse(pair.certificate_pem, old);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->key_pem, pair.key_pem);
  }
}

TEST(ClientIdentity, TakesCertificateAndKeyFromOneText) {
  const KeyPair pair = make_identity();
  const KeyPair issuer = make_identity();
  const std::string both =
      "remarks\n" + pair.certificate_pem + pair.key_pem + issuer.certificate_pem + "more remarks\n";
  const auto parsed = parse(both, both);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->certificate_pem, pair.certificate_pem + issuer.certificate_pem);
  EXPECT_EQ(parsed->key_pem, pair.key_pem);
}

TEST(ClientIdentity, RefusesEncryptedOnes) {
  constexpr const char* kEncryptedKey =
      "the private key in Secret pair is encrypted; expected one without a passphrase";
  for (const KeyKind kind : {KeyKind::kP256, KeyKind::kRsa}) {
    const KeyPair pair = make_identity(kind);
    EXPECT_EQ(problem(pair.certificate_pem, encrypted(pair.key_pem)), kEncryptedKey);
    EXPECT_EQ(problem(pair.certificate_pem, traditional(pair.key_pem, true)), kEncryptedKey);
    EXPECT_EQ(problem(pair.certificate_pem, marked_as_encrypted(pair.key_pem)), kEncryptedKey);
    EXPECT_EQ(problem(marked_as_encrypted(pair.certificate_pem), pair.key_pem),
              "the certificate in Secret pair is encrypted");
    EXPECT_EQ(
        problem(pair.certificate_pem + marked_as_encrypted(pair.certificate_pem), pair.key_pem),
        "the certificate in Secret pair is encrypted");
  }
}

TEST(ClientIdentity, RefusesWhatIsCutOffAnywhere) {
  const KeyPair pair = make_identity();
  // The line break behind the last line is not needed.
  for (std::size_t size = 0; size + 1 < pair.key_pem.size(); ++size) {
    EXPECT_FALSE(parse(pair.certificate_pem, pair.key_pem.substr(0, size))) << size;
  }
  for (std::size_t size = 0; size + 1 < pair.certificate_pem.size(); ++size) {
    EXPECT_FALSE(parse(pair.certificate_pem.substr(0, size), pair.key_pem)) << size;
    EXPECT_NE(check(pair.certificate_pem.substr(0, size)), "none") << size;
  }
}

TEST(ClientIdentity, RefusesGarbage) {
  const KeyPair pair = make_identity();
  const std::string block = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
  const std::string odd = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(problem(pair.certificate_pem, "no key"),
            "the private key in Secret pair is missing: the text has no private key in PEM");
  EXPECT_EQ(problem(pair.certificate_pem, block),
            "the private key in Secret pair cannot be read; expected RSA, ECDSA or Ed25519 in PEM");
  EXPECT_EQ(problem("no certificate", pair.key_pem),
            "the certificate in Secret pair is missing: the text has no certificate in PEM");
  EXPECT_EQ(problem(odd, pair.key_pem),
            "the certificate in Secret pair cannot be read; expected X.509 in PEM");
  EXPECT_FALSE(parse(pair.key_pem, pair.certificate_pem));
  EXPECT_FALSE(parse(std::string(1000, '\0'), pair.key_pem));
  EXPECT_FALSE(parse(pair.certificate_pem, std::string("-----BEGIN PRIVATE KEY-----\n\0", 29)));
}

TEST(ClientIdentity, RefusesAKeyOfSomethingElse) {
  for (const KeyKind kind : {KeyKind::kP256, KeyKind::kRsa, KeyKind::kEd25519}) {
    EXPECT_EQ(problem(make_identity(kind).certificate_pem, make_identity().key_pem),
              "the private key in Secret pair does not belong to the certificate");
  }
}

TEST(ClientIdentity, RefusesUnsupportedKindsOfKeys) {
  for (const KeyKind kind : {KeyKind::kSecp256k1, KeyKind::kDsa}) {
    const KeyPair pair = make_identity(kind);
    EXPECT_NE(problem(pair.certificate_pem, pair.key_pem).find("unsupported type"),
              std::string::npos);
  }
}

TEST(ClientIdentity, RefusesWhatWouldTakeLongToSign) {
  const KeyPair pair = make_identity(KeyKind::kRsa);
  EXPECT_EQ(problem(pair.certificate_pem, pair.key_pem, {.max_rsa_bits = 2047}),
            "the private key in Secret pair is an RSA key of more than 2047 bits");
  // A signature with exponents and primes of 100,000 bits takes minutes.
  const KeyPair bloated = support::make_bloated_identity(100'000);
  EXPECT_EQ(problem(bloated.certificate_pem, bloated.key_pem),
            "the private key in Secret pair is not a usable RSA key");
}

TEST(ClientIdentity, RefusesADsaKeyBeforeItIsComputed) {
  const KeyPair pair = make_identity();
  const std::string key = support::make_bloated_dsa_key(32'000);
  const std::string body = key.substr(key.find('\n'), key.rfind("-----END") - key.find('\n'));
  for (const std::string name : {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"}) {
    const std::string text = "-----BEGIN " + name + "-----" + body + "-----END " + name + "-----\n";
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_NE(problem(pair.certificate_pem, text).find("unsupported type"), std::string::npos);
    // It would take half a minute.
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(5)) << name;
  }
}

TEST(ClientIdentity, RefusesWhatIsTooLong) {
  const KeyPair pair = make_identity();
  const std::string padding(2000, '\n');
  EXPECT_TRUE(parse(pair.certificate_pem + padding, pair.key_pem + padding));
  EXPECT_EQ(problem(pair.certificate_pem + padding, pair.key_pem, {.max_bytes = 2000}),
            "the certificate in Secret pair is longer than 2000 bytes");
  EXPECT_EQ(problem(pair.certificate_pem, pair.key_pem + padding, {.max_bytes = 2000}),
            "the private key in Secret pair is longer than 2000 bytes");
  std::string chain;
  for (int i = 0; i < 11; ++i) chain += pair.certificate_pem;
  EXPECT_EQ(problem(chain, pair.key_pem),
            "the certificate in Secret pair has a chain of more than 10");
}

TEST(ClientIdentity, ChecksValidityOnlyIfATimeIsGiven) {
  const KeyPair expired = make_identity(KeyKind::kP256, -7200, -60);
  const KeyPair early = make_identity(KeyKind::kP256, 3600, 7200);
  const KeyPair skewed = make_identity(KeyKind::kP256, 60, 7200);
  for (const KeyPair& pair : {expired, early, skewed}) {
    EXPECT_TRUE(parse(pair.certificate_pem, pair.key_pem));
  }
  EXPECT_EQ(problem(expired.certificate_pem, expired.key_pem, {.now = now()}),
            "the certificate in Secret pair has expired");
  EXPECT_EQ(problem(early.certificate_pem, early.key_pem, {.now = now()}),
            "the certificate in Secret pair is not valid yet");
  EXPECT_EQ(problem(skewed.certificate_pem, skewed.key_pem, {.now = now()}), "none");
}

TEST(Authorities, HaveToBeReadable) {
  const KeyPair pair = make_identity();
  EXPECT_EQ(check(pair.certificate_pem), "none");
  EXPECT_EQ(check(pair.certificate_pem + "\nremarks\n" + pair.certificate_pem), "none");
  EXPECT_EQ(check(pair.certificate_pem + pair.key_pem),
            "the certificate in caBundle comes with a private key; expected certificates only");
  EXPECT_EQ(check(""),
            "the certificate in caBundle is missing: the text has no certificate in PEM");
  EXPECT_EQ(check(marked_as_encrypted(pair.certificate_pem)),
            "the certificate in caBundle is encrypted");
  EXPECT_EQ(check(pair.certificate_pem + "-----BEGIN CERTIFICATE-----\nAAAA\n"),
            "the certificate in caBundle is not valid PEM");
}

}  // namespace
}  // namespace ebb::net
