#include "net/secret.h"

#include <array>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include "base/check.h"

namespace ebb::net {
namespace {

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Digest digest_of(std::string_view text) {
  Digest digest{};
  SHA256(bytes_of(text), text.size(), digest.data());
  return digest;
}

}  // namespace

std::string random_token() {
  std::array<unsigned char, 32> bytes{};
  // Without randomness there are no secrets, and nothing to go on with.
  EBB_CHECK(RAND_bytes(bytes.data(), bytes.size()) == 1);
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  // Digests have one length; comparing the texts would tell how long the secret is.
  const Digest left = digest_of(a);
  const Digest right = digest_of(b);
  return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes_of(bytes),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

}  // namespace ebb::net
