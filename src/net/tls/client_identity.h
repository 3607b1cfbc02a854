// Validates certificates and private keys in PEM from other people before curl sees them.
//
// Such a text may come from a tenant's Secret, and must not harm the process: libcurl 7.88
// dereferences a null pointer if a key is encrypted, and an RSA key of absurd size would block the
// thread that signs with it. So everything is parsed here first, and the result is written from
// what was parsed.
//
// Messages contain nothing of the texts: they are secret.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::net {

struct PemText {
  std::string_view pem{};
  // The source of the text, for messages: "in Secret picker-tls", "in the kubeconfig".
  std::string_view origin{};
};

struct IdentityLimits {
  std::size_t max_bytes = 1UL << 20U;  // of each text
  int max_rsa_bits = 16'384;
  // If set, the certificate must be valid at this time. A certificate may start up to five minutes
  // later: the clock of its issuer may be ahead.
  std::optional<Timestamp> now{};
};

struct ClientIdentity {
  std::string certificate_pem{};  // with its intermediate certificates
  std::string key_pem{};          // PKCS #8, not encrypted
};

// Reads the first private key, and all certificates, the first of which must belong to the key.
// Other blocks are skipped, because people keep certificate and key in one file. Keys are RSA,
// ECDSA on a NIST curve, or Ed25519 and Ed448.
[[nodiscard]] Result<ClientIdentity> parse_client_identity(const PemText& certificate,
                                                           const PemText& key,
                                                           const IdentityLimits& limits);

// Whether there is at least one certificate, and all of them are valid. Private keys are refused,
// because curl parses them too, whatever their size. Other blocks do not matter.
[[nodiscard]] Result<void> check_authorities(const PemText& authorities);

}  // namespace ebb::net
