#include "net/tls/client_identity.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "net/tls/openssl_types.h"

namespace ebb::net {
namespace {

// A chain to a public root has three or four.
constexpr std::size_t kMaxCertificates = 10;
// Bundles of all public authorities have about a quarter of a megabyte.
constexpr std::size_t kMaxAuthoritiesBytes = 16UL << 20U;
constexpr std::int64_t kMaxSkewSeconds = 300;

// Clears OpenSSL's error queue: curl reads it too, on the same thread.
class ErrorQueue {
 public:
  ErrorQueue() { ERR_clear_error(); }
  ~ErrorQueue() { ERR_clear_error(); }
  ErrorQueue(const ErrorQueue&) = delete;
  ErrorQueue& operator=(const ErrorQueue&) = delete;
};

// A block of PEM, decoded from base64 but not decrypted.
struct Block {
  std::string name{};
  std::string headers{};
  std::string der{};

  [[nodiscard]] bool is_certificate() const {
    return name == PEM_STRING_X509 || name == PEM_STRING_X509_OLD ||
           name == PEM_STRING_X509_TRUSTED;
  }
  [[nodiscard]] bool is_private_key() const { return name.ends_with("PRIVATE KEY"); }
  // Only encryption uses headers (RFC 1421); OpenSSL accepts no others.
  [[nodiscard]] bool is_encrypted() const { return name == PEM_STRING_PKCS8 || !headers.empty(); }
  [[nodiscard]] const unsigned char* begin() const {
    return reinterpret_cast<const unsigned char*>(der.data());
  }
  [[nodiscard]] const unsigned char* end() const { return begin() + der.size(); }
  [[nodiscard]] long size() const { return static_cast<long>(der.size()); }
};

tl::unexpected<Error> refuse(std::string_view what, const PemText& text, std::string_view why) {
  return fail(ErrorCode::kInvalidInput, fmt::format("the {} {} {}", what, text.origin, why));
}

// Nothing if a block is truncated or not base64.
std::optional<std::vector<Block>> read_blocks(std::string_view pem) {
  const OwnedBio bio = bio_of(pem);
  std::vector<Block> blocks;
  while (true) {
    char* name = nullptr;
    char* headers = nullptr;
    unsigned char* data = nullptr;
    long size = 0;
    if (PEM_read_bio(bio.get(), &name, &headers, &data, &size) != 1) {
      const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
      return at_end ? std::optional(std::move(blocks)) : std::nullopt;
    }
    blocks.push_back(
        {name, headers,
         std::string(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size))});
    OPENSSL_free(name);
    OPENSSL_free(headers);
    OPENSSL_clear_free(data, static_cast<std::size_t>(size));
  }
}

OwnedCertificate parse_certificate(const Block& block) {
  const unsigned char* at = block.begin();
  OwnedCertificate certificate(block.name == PEM_STRING_X509_TRUSTED
                                   ? d2i_X509_AUX(nullptr, &at, block.size())
                                   : d2i_X509(nullptr, &at, block.size()));
  return at == block.end() ? std::move(certificate) : nullptr;
}

bool is_supported(int type) {
  return type == EVP_PKEY_RSA || type == EVP_PKEY_EC || type == EVP_PKEY_ED25519 ||
         type == EVP_PKEY_ED448;
}

tl::unexpected<Error> refuse_type(const PemText& text) {
  return refuse("private key", text,
                "has an unsupported type; expected RSA, ECDSA (P-256, P-384 or P-521) "
                "or Ed25519");
}

// Checks the type before OpenSSL parses the key: it computes the public key of a DSA key, which may
// take hours, because the numbers may be as large as the text. OpenSSL recognizes PKCS #8 whatever
// the name of the block is, and so does this function.
Result<OwnedKey> parse_key(const Block& block, const PemText& text) {
  const unsigned char* at = block.begin();
  const std::unique_ptr<PKCS8_PRIV_KEY_INFO, FreeWith<PKCS8_PRIV_KEY_INFO_free>> info(
      d2i_PKCS8_PRIV_KEY_INFO(nullptr, &at, block.size()));
  OwnedKey key;
  if (info) {
    const ASN1_OBJECT* type = nullptr;
    PKCS8_pkey_get0(&type, nullptr, nullptr, nullptr, info.get());
    if (!is_supported(OBJ_obj2nid(type))) return refuse_type(text);
    key.reset(EVP_PKCS82PKEY(info.get()));
  } else if (block.name == PEM_STRING_RSA || block.name == PEM_STRING_ECPRIVATEKEY) {
    const int type = block.name == PEM_STRING_RSA ? EVP_PKEY_RSA : EVP_PKEY_EC;
    at = block.begin();
    key.reset(d2i_PrivateKey(type, nullptr, &at, block.size()));
  }
  if (key) return key;
  return refuse("private key", text, "cannot be read; expected RSA, ECDSA or Ed25519 in PEM");
}

// The bit length of a number of an RSA key; nothing if it is absent.
std::optional<int> bits_of(const EVP_PKEY* key, const char* number) {
  BIGNUM* value = nullptr;
  if (EVP_PKEY_get_bn_param(key, number, &value) != 1) return std::nullopt;
  const int bits = BN_num_bits(value);
  BN_clear_free(value);
  return bits;
}

// The time of a signature grows with the cube of these numbers, and only this check keeps them in
// proportion to the modulus. Keys with more than two primes are not in use.
bool has_sane_numbers(const EVP_PKEY* key) {
  constexpr std::array kNumbers = {OSSL_PKEY_PARAM_RSA_E,           OSSL_PKEY_PARAM_RSA_D,
                                   OSSL_PKEY_PARAM_RSA_FACTOR1,     OSSL_PKEY_PARAM_RSA_FACTOR2,
                                   OSSL_PKEY_PARAM_RSA_EXPONENT1,   OSSL_PKEY_PARAM_RSA_EXPONENT2,
                                   OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  const int modulus_bits = EVP_PKEY_get_bits(key);
  return !bits_of(key, OSSL_PKEY_PARAM_RSA_FACTOR3) &&
         std::all_of(kNumbers.begin(), kNumbers.end(), [&](const char* number) {
           return bits_of(key, number).value_or(0) <= modulus_bits;
         });
}

bool is_on_nist_curve(const EVP_PKEY* key) {
  std::array<char, 64> name{};
  if (EVP_PKEY_get_group_name(key, name.data(), name.size(), nullptr) != 1) return false;
  const std::string_view curve = name.data();
  return curve == SN_X9_62_prime256v1 || curve == SN_secp384r1 || curve == SN_secp521r1;
}

Result<void> check_kind(const EVP_PKEY* key, const PemText& text, const IdentityLimits& limits) {
  switch (EVP_PKEY_get_base_id(key)) {
    case EVP_PKEY_RSA:
      if (EVP_PKEY_get_bits(key) > limits.max_rsa_bits) {
        return refuse("private key", text,
                      fmt::format("is an RSA key of more than {} bits", limits.max_rsa_bits));
      }
      if (has_sane_numbers(key)) return {};
      return refuse("private key", text, "is not a usable RSA key");
    case EVP_PKEY_EC:
      if (is_on_nist_curve(key)) return {};
      break;
    case EVP_PKEY_ED25519:
    case EVP_PKEY_ED448:
      return {};
    default:
      break;
  }
  return refuse_type(text);
}

Result<OwnedKey> read_key(const PemText& text, const IdentityLimits& limits) {
  constexpr std::string_view kWhat = "private key";
  if (text.pem.size() > limits.max_bytes) {
    return refuse(kWhat, text, fmt::format("is longer than {} bytes", limits.max_bytes));
  }
  const auto blocks = read_blocks(text.pem);
  if (!blocks) return refuse(kWhat, text, "is not valid PEM");
  const auto block = std::find_if(blocks->begin(), blocks->end(),
                                  [](const Block& one) { return one.is_private_key(); });
  if (block == blocks->end()) {
    return refuse(kWhat, text, "is missing: the text has no private key in PEM");
  }
  if (block->is_encrypted()) {
    return refuse(kWhat, text, "is encrypted; expected one without a passphrase");
  }
  EBB_ASSIGN_OR_RETURN(OwnedKey key, parse_key(*block, text));
  EBB_RETURN_IF_ERROR(check_kind(key.get(), text, limits));
  return key;
}

Result<std::vector<OwnedCertificate>> read_certificates(const PemText& text,
                                                        std::size_t max_certificates) {
  constexpr std::string_view kWhat = "certificate";
  const auto blocks = read_blocks(text.pem);
  if (!blocks) return refuse(kWhat, text, "is not valid PEM");
  std::vector<OwnedCertificate> certificates;
  for (const Block& block : *blocks) {
    if (!block.is_certificate()) continue;
    if (block.is_encrypted()) return refuse(kWhat, text, "is encrypted");
    if (certificates.size() == max_certificates) {
      return refuse(kWhat, text, fmt::format("has a chain of more than {}", max_certificates));
    }
    OwnedCertificate certificate = parse_certificate(block);
    if (!certificate) return refuse(kWhat, text, "cannot be read; expected X.509 in PEM");
    certificates.push_back(std::move(certificate));
  }
  if (certificates.empty()) {
    return refuse(kWhat, text, "is missing: the text has no certificate in PEM");
  }
  return certificates;
}

Result<void> check_validity(const X509* certificate, const PemText& text, Timestamp now) {
  const std::time_t second = now.since_epoch_ns() / kNanosecondsPerSecond;
  std::time_t latest_start = second + kMaxSkewSeconds;
  std::time_t earliest_end = second;
  // A time that cannot be compared gives 0 in both cases.
  if (X509_cmp_time(X509_get0_notAfter(certificate), &earliest_end) <= 0) {
    return refuse("certificate", text, "has expired");
  }
  if (X509_cmp_time(X509_get0_notBefore(certificate), &latest_start) >= 0) {
    return refuse("certificate", text, "is not valid yet");
  }
  return {};
}

Result<ClientIdentity> write_identity(const std::vector<OwnedCertificate>& certificates,
                                      const EVP_PKEY* key, const PemText& text) {
  const OwnedBio chain(BIO_new(BIO_s_mem()));
  const OwnedBio secret(BIO_new(BIO_s_mem()));
  const bool written =
      std::all_of(certificates.begin(), certificates.end(),
                  [&](const OwnedCertificate& one) {
                    return PEM_write_bio_X509(chain.get(), one.get()) == 1;
                  }) &&
      PEM_write_bio_PKCS8PrivateKey(secret.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1;
  if (!written) return refuse("private key", text, "cannot be written in PEM");
  return ClientIdentity{text_of(chain.get()), text_of(secret.get())};
}

}  // namespace

Result<ClientIdentity> parse_client_identity(const PemText& certificate, const PemText& key,
                                             const IdentityLimits& limits) {
  const ErrorQueue errors;
  if (certificate.pem.size() > limits.max_bytes) {
    return refuse("certificate", certificate,
                  fmt::format("is longer than {} bytes", limits.max_bytes));
  }
  EBB_ASSIGN_OR_RETURN(auto certificates, read_certificates(certificate, kMaxCertificates));
  EBB_ASSIGN_OR_RETURN(auto secret, read_key(key, limits));
  const X509* own = certificates.front().get();
  if (X509_check_private_key(own, secret.get()) != 1) {
    return refuse("private key", key, "does not belong to the certificate");
  }
  if (limits.now) {
    EBB_RETURN_IF_ERROR(check_validity(own, certificate, *limits.now));
  }
  return write_identity(certificates, secret.get(), key);
}

Result<void> check_authorities(const PemText& authorities) {
  const ErrorQueue errors;
  if (authorities.pem.size() > kMaxAuthoritiesBytes) {
    return refuse("certificate authority", authorities,
                  fmt::format("is longer than {} bytes", kMaxAuthoritiesBytes));
  }
  const auto blocks = read_blocks(authorities.pem);
  const bool has_key = blocks && std::any_of(blocks->begin(), blocks->end(),
                                             [](const Block& one) { return one.is_private_key(); });
  if (has_key) {
    return refuse("certificate", authorities,
                  "comes with a private key; expected certificates only");
  }
  EBB_RETURN_IF_ERROR(read_certificates(authorities, authorities.pem.size()));
  return {};
}

}  // namespace ebb::net
