// Fuzzes certificates and keys of tenants. They are accepted or rejected, OpenSSL never asks for
// a passphrase, and OpenSSL reads the accepted form with the same meaning.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <openssl/pem.h>

#include "base/base64.h"
#include "base/check.h"
#include "net/tls/certificate.h"
#include "net/tls/client_identity.h"
#include "net/tls/openssl_types.h"
#include "net/tls/secret.h"

namespace {

using ebb::net::ClientIdentity;
using ebb::net::PemText;

constexpr ebb::net::IdentityLimits kLimits = {.max_bytes = 65'536, .max_rsa_bits = 4096};

int refuse_to_prompt(char* /*into*/, int /*size*/, int /*writing*/, void* /*unused*/) {
  const bool asks_for_a_passphrase = true;
  EBB_CHECK(!asks_for_a_passphrase);
  return -1;
}

void check_error(const ebb::Error& error) {
  EBB_CHECK(error.code == ebb::ErrorCode::kInvalidInput);
  EBB_CHECK(error.message.starts_with("the certificate in A ") ||
            error.message.starts_with("the private key in B "));
  EBB_CHECK(error.message.size() < 200);
}

ebb::Result<ClientIdentity> parse(std::string_view certificate, std::string_view key) {
  return ebb::net::parse_client_identity({.pem = certificate, .origin = "in A"},
                                         {.pem = key, .origin = "in B"}, kLimits);
}

void check_identity(std::string_view certificate, std::string_view key) {
  const auto identity = parse(certificate, key);
  if (!identity) return check_error(identity.error());
  const auto again = parse(identity->certificate_pem, identity->key_pem);
  EBB_CHECK(again.has_value());
  EBB_CHECK(again->certificate_pem == identity->certificate_pem);
  EBB_CHECK(again->key_pem == identity->key_pem);
  // As curl does it.
  const ebb::net::OwnedCertificate own(PEM_read_bio_X509(
      ebb::net::bio_of(identity->certificate_pem).get(), nullptr, refuse_to_prompt, nullptr));
  const ebb::net::OwnedKey secret(PEM_read_bio_PrivateKey(ebb::net::bio_of(identity->key_pem).get(),
                                                          nullptr, refuse_to_prompt, nullptr));
  EBB_CHECK(own && secret && X509_check_private_key(own.get(), secret.get()) == 1);
}

void check_authorities(std::string_view text) {
  if (auto checked = ebb::net::check_authorities({.pem = text, .origin = "in A"}); !checked) {
    check_error(checked.error());
  }
}

// Mutations seldom survive base64, so the bytes are also used as its content.
std::string as_block(const std::string& name, std::string_view der) {
  constexpr std::size_t kLine = 64;
  const std::string text = ebb::encode_base64(der);
  std::string block = "-----BEGIN " + name + "-----\n";
  for (std::size_t at = 0; at < text.size(); at += kLine) block += text.substr(at, kLine) + "\n";
  return block + "-----END " + name + "-----\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ebb::net::KeyPair kGood = ebb::net::make_authority("good").value();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_identity(bytes, bytes);
  check_identity(kGood.certificate_pem, bytes);
  check_identity(bytes, kGood.key_pem);
  check_authorities(bytes);
  check_authorities(as_block("CERTIFICATE", bytes));
  check_identity(as_block("CERTIFICATE", bytes), kGood.key_pem);
  for (const char* name : {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"}) {
    check_identity(kGood.certificate_pem, as_block(name, bytes));
  }
  return 0;
}
