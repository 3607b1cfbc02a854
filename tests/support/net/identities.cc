#include "support/net/identities.h"

#include <memory>
#include <vector>

#include <openssl/core_names.h>
#include <openssl/dsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/check.h"
#include "net/tls/openssl_types.h"

namespace ebb::support {
namespace {

using net::FreeWith;
using net::OwnedBio;
using net::OwnedCertificate;
using net::OwnedKey;
using Number = std::unique_ptr<BIGNUM, FreeWith<BN_free>>;

OwnedKey make_dsa_key() {
  EVP_PKEY* parameters = nullptr;
  const std::unique_ptr<EVP_PKEY_CTX, FreeWith<EVP_PKEY_CTX_free>> context(
      EVP_PKEY_CTX_new_id(EVP_PKEY_DSA, nullptr));
  EBB_CHECK(EVP_PKEY_paramgen_init(context.get()) == 1);
  EBB_CHECK(EVP_PKEY_CTX_set_dsa_paramgen_bits(context.get(), 1024) == 1);
  EBB_CHECK(EVP_PKEY_paramgen(context.get(), &parameters) == 1);
  const OwnedKey owned(parameters);
  EVP_PKEY* key = nullptr;
  const std::unique_ptr<EVP_PKEY_CTX, FreeWith<EVP_PKEY_CTX_free>> generation(
      EVP_PKEY_CTX_new(parameters, nullptr));
  EBB_CHECK(EVP_PKEY_keygen_init(generation.get()) == 1);
  EBB_CHECK(EVP_PKEY_keygen(generation.get(), &key) == 1);
  return OwnedKey(key);
}

OwnedKey make_key(KeyKind kind) {
  switch (kind) {
    case KeyKind::kP256:
      return OwnedKey(EVP_EC_gen("P-256"));
    case KeyKind::kP384:
      return OwnedKey(EVP_EC_gen("P-384"));
    case KeyKind::kRsa:
      return OwnedKey(EVP_RSA_gen(2048));
    case KeyKind::kEd25519:
      return OwnedKey(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    case KeyKind::kSecp256k1:
      return OwnedKey(EVP_EC_gen("secp256k1"));
    case KeyKind::kDsa:
      break;
  }
  return make_dsa_key();
}

std::string key_text(const EVP_PKEY* key) {
  const OwnedBio text(BIO_new(BIO_s_mem()));
  EBB_CHECK(PEM_write_bio_PKCS8PrivateKey(text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) ==
            1);
  return net::text_of(text.get());
}

std::string certificate_text(X509* certificate) {
  const OwnedBio text(BIO_new(BIO_s_mem()));
  EBB_CHECK(PEM_write_bio_X509(text.get(), certificate) == 1);
  return net::text_of(text.get());
}

OwnedCertificate blank(EVP_PKEY* key, long from_seconds, long until_seconds) {
  OwnedCertificate certificate(X509_new());
  X509* raw = certificate.get();
  X509_set_version(raw, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(raw), 1);
  X509_gmtime_adj(X509_getm_notBefore(raw), from_seconds);
  X509_gmtime_adj(X509_getm_notAfter(raw), until_seconds);
  X509_set_pubkey(raw, key);
  return certificate;
}

net::KeyPair certify(EVP_PKEY* key, EVP_PKEY* signer, long from_seconds, long until_seconds) {
  const OwnedCertificate certificate = blank(key, from_seconds, until_seconds);
  const bool names_its_digest = EVP_PKEY_get_base_id(signer) != EVP_PKEY_ED25519;
  EBB_CHECK(X509_sign(certificate.get(), signer, names_its_digest ? EVP_sha256() : nullptr) > 0);
  return {certificate_text(certificate.get()), key_text(key)};
}

void set_name(X509_NAME* name, const std::string& text) {
  EBB_CHECK(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                       reinterpret_cast<const unsigned char*>(text.data()),
                                       static_cast<int>(text.size()), -1, 0) == 1);
}

void add_extension(X509* certificate, int what, const char* value) {
  const std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, what, value));
  EBB_CHECK(X509_add_ext(certificate, extension.get(), -1) == 1);
}

OwnedKey read_key(const std::string& pem) {
  OwnedKey key(PEM_read_bio_PrivateKey(net::bio_of(pem).get(), nullptr, nullptr, nullptr));
  EBB_CHECK(key != nullptr);
  return key;
}

OwnedKey key_of(const char* type, OSSL_PARAM_BLD& numbers) {
  const std::unique_ptr<OSSL_PARAM, FreeWith<OSSL_PARAM_free>> parameters(
      OSSL_PARAM_BLD_to_param(&numbers));
  const std::unique_ptr<EVP_PKEY_CTX, FreeWith<EVP_PKEY_CTX_free>> context(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  EBB_CHECK(EVP_PKEY_fromdata_init(context.get()) == 1);
  EBB_CHECK(EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get()) == 1);
  return OwnedKey(key);
}

}  // namespace

net::KeyPair make_identity(KeyKind kind, long from_seconds, long until_seconds) {
  const OwnedKey key = make_key(kind);
  EBB_CHECK(key != nullptr);
  return certify(key.get(), key.get(), from_seconds, until_seconds);
}

Chain make_chain(int intermediates) {
  Chain chain;
  OwnedKey issuer;
  // 0 signs itself, the last one is the server's.
  for (int i = 0; i <= intermediates + 1; ++i) {
    OwnedKey key = make_key(KeyKind::kP256);
    const bool is_server = i == intermediates + 1;
    const OwnedCertificate certificate = blank(key.get(), -3600, 3600);
    set_name(X509_get_subject_name(certificate.get()), std::to_string(i));
    set_name(X509_get_issuer_name(certificate.get()), std::to_string(i == 0 ? 0 : i - 1));
    add_extension(certificate.get(), NID_basic_constraints, is_server ? "CA:FALSE" : "CA:TRUE");
    if (is_server) add_extension(certificate.get(), NID_subject_alt_name, "IP:127.0.0.1");
    EVP_PKEY* const signer = i == 0 ? key.get() : issuer.get();
    EBB_CHECK(X509_sign(certificate.get(), signer, EVP_sha256()) > 0);
    std::string text = certificate_text(certificate.get());
    if (is_server) {
      chain.server = {std::move(text), key_text(key.get())};
    } else {
      chain.issuers_pem.insert(chain.issuers_pem.begin(), std::move(text));
    }
    issuer = std::move(key);
  }
  return chain;
}

net::KeyPair make_bloated_identity(int bits) {
  const OwnedKey good(EVP_RSA_gen(2048));
  const std::unique_ptr<OSSL_PARAM_BLD, FreeWith<OSSL_PARAM_BLD_free>> builder(
      OSSL_PARAM_BLD_new());
  std::vector<Number> numbers;
  const auto put = [&](const char* name, bool bloat) {
    BIGNUM* value = nullptr;
    EBB_CHECK(EVP_PKEY_get_bn_param(good.get(), name, &value) == 1);
    numbers.emplace_back(value);
    if (bloat) EBB_CHECK(BN_set_bit(value, bits - 1) == 1);
    EBB_CHECK(OSSL_PARAM_BLD_push_BN(builder.get(), name, value) == 1);
  };
  put(OSSL_PKEY_PARAM_RSA_N, false);
  put(OSSL_PKEY_PARAM_RSA_E, false);
  for (const char* name : {OSSL_PKEY_PARAM_RSA_D, OSSL_PKEY_PARAM_RSA_FACTOR1,
                           OSSL_PKEY_PARAM_RSA_FACTOR2, OSSL_PKEY_PARAM_RSA_EXPONENT1,
                           OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1}) {
    put(name, true);
  }
  const OwnedKey bloated = key_of("RSA", *builder);
  net::KeyPair pair = certify(good.get(), good.get(), -3600, 3600);
  pair.key_pem = key_text(bloated.get());
  return pair;
}

std::string make_bloated_dsa_key(int bits) {
  const std::unique_ptr<OSSL_PARAM_BLD, FreeWith<OSSL_PARAM_BLD_free>> builder(
      OSSL_PARAM_BLD_new());
  std::vector<Number> numbers;
  for (const char* name : {OSSL_PKEY_PARAM_FFC_P, OSSL_PKEY_PARAM_FFC_Q, OSSL_PKEY_PARAM_FFC_G,
                           OSSL_PKEY_PARAM_PRIV_KEY, OSSL_PKEY_PARAM_PUB_KEY}) {
    BIGNUM* const number = numbers.emplace_back(BN_new()).get();
    EBB_CHECK(BN_rand(number, bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD) == 1);
    EBB_CHECK(OSSL_PARAM_BLD_push_BN(builder.get(), name, number) == 1);
  }
  return key_text(key_of("DSA", *builder).get());
}

std::string encrypted(const std::string& key_pem) {
  const OwnedKey key = read_key(key_pem);
  const OwnedBio text(BIO_new(BIO_s_mem()));
  std::string passphrase = "passphrase";
  EBB_CHECK(PEM_write_bio_PKCS8PrivateKey(text.get(), key.get(), EVP_aes_128_cbc(),
                                          passphrase.data(), static_cast<int>(passphrase.size()),
                                          nullptr, nullptr) == 1);
  return net::text_of(text.get());
}

std::string traditional(const std::string& key_pem, bool encrypt) {
  const OwnedKey key = read_key(key_pem);
  const OwnedBio text(BIO_new(BIO_s_mem()));
  const std::string passphrase = "passphrase";
  EBB_CHECK(PEM_write_bio_PrivateKey_traditional(
                text.get(), key.get(), encrypt ? EVP_aes_128_cbc() : nullptr,
                reinterpret_cast<const unsigned char*>(passphrase.data()),
                static_cast<int>(passphrase.size()), nullptr, nullptr) == 1);
  return net::text_of(text.get());
}

std::string marked_as_encrypted(const std::string& pem) {
  const std::size_t line = pem.find('\n') + 1;
  return pem.substr(0, line) +
         "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF\n\n" +
         pem.substr(line);
}

}  // namespace ebb::support
