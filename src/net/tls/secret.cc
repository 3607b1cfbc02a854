#include "net/tls/secret.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "base/check.h"

namespace ebb::net {
namespace {

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

Digest sha256(std::string_view text) {
  Digest digest{};
  static_assert(digest.size() == SHA256_DIGEST_LENGTH);
  SHA256(bytes_of(text), text.size(), digest.data());
  return digest;
}

std::string random_token() {
  std::array<unsigned char, 32> bytes{};
  // Without randomness there are no secrets, so ebb cannot continue.
  EBB_CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  // Digests have one length; comparing the texts would reveal the length of the secret.
  const Digest left = sha256(a);
  const Digest right = sha256(b);
  return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace ebb::net
