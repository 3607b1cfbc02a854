#include "net/tls/passphrase_prompt.h"

#include <array>

#include <gtest/gtest.h>
#include <openssl/pem.h>

#include "net/tls/openssl_types.h"
#include "net/tls/tls_context.h"
#include "support/net/identities.h"

namespace ebb::net {
namespace {

// With a terminal, these would wait for input; without one they fail in any case, so the test also
// checks OpenSSL's interface for prompts.
TEST(PassphrasePrompt, NeverAsks) {
  forbid_passphrase_prompts();
  std::array<char, 100> typed{};
  EXPECT_NE(EVP_read_pw_string(typed.data(), typed.size(), "passphrase? ", 0), 0);
  const KeyPair pair = support::make_identity();
  const std::string key = support::encrypted(pair.key_pem);
  EXPECT_EQ(PEM_read_bio_PrivateKey(bio_of(key).get(), nullptr, nullptr, nullptr), nullptr);
  EXPECT_FALSE(make_tls_context({pair.certificate_pem, key}));
  EXPECT_FALSE(check_authority({pair.certificate_pem, key}));
}

}  // namespace
}  // namespace ebb::net
