// Client certificates and keys for tests: valid ones of every kind, and ones that must be rejected.
#pragma once

#include <string>
#include <vector>

#include "net/tls/certificate.h"

namespace ebb::support {

enum class KeyKind { kP256, kP384, kRsa, kEd25519, kSecp256k1, kDsa };

// A self-signed certificate, valid from and until this many seconds from now.
[[nodiscard]] net::KeyPair make_identity(KeyKind kind = KeyKind::kP256, long from_seconds = -3600,
                                         long until_seconds = 3600);

// The certificate of a server on 127.0.0.1, and those of its issuers: one that signs itself, last,
// and this many in between.
struct Chain {
  net::KeyPair server{};
  std::vector<std::string> issuers_pem{};
};
[[nodiscard]] Chain make_chain(int intermediates);

// RSA whose private exponents have `bits` bits, whatever the modulus (2048).
[[nodiscard]] net::KeyPair make_bloated_identity(int bits);

// A DSA key without its public number, which takes long to compute if there are many bits.
[[nodiscard]] std::string make_bloated_dsa_key(int bits);

// The same key, as ENCRYPTED PRIVATE KEY.
[[nodiscard]] std::string encrypted(const std::string& key_pem);
// The same key, as RSA or EC PRIVATE KEY; with a passphrase by Proc-Type and DEK-Info.
[[nodiscard]] std::string traditional(const std::string& key_pem, bool encrypt);
// The first block of any PEM, as if it were encrypted.
[[nodiscard]] std::string marked_as_encrypted(const std::string& pem);

}  // namespace ebb::support
