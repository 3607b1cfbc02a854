#include "net/tls/certificate.h"

#include <array>
#include <ctime>
#include <memory>
#include <optional>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "net/tls/openssl_types.h"
#include "net/tls/passphrase_prompt.h"

namespace ebb::net {
namespace {

using Key = OwnedKey;
using Certificate = OwnedCertificate;
using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
using Memory = OwnedBio;

tl::unexpected<Error> openssl_error(std::string_view doing) {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_get_error(), text.data(), text.size());
  ERR_clear_error();
  return fail(ErrorCode::kInvalidInput, fmt::format("{}: {}", doing, text.data()));
}

Result<KeyPair> to_pem(X509* certificate, EVP_PKEY* key) {
  const Memory certificate_text(BIO_new(BIO_s_mem()));
  const Memory key_text(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(certificate_text.get(), certificate) != 1 ||
      PEM_write_bio_PrivateKey(key_text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return openssl_error("cannot write a certificate");
  }
  return KeyPair{text_of(certificate_text.get()), text_of(key_text.get())};
}

bool set_random_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), bytes.size()) != 1) return false;
  bytes[0] &= 0x7f;  // serial numbers are positive
  bytes[0] |= 0x40;
  std::unique_ptr<BIGNUM, FreeWith<BN_free>> number(
      BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool set_name(X509_NAME* name, const std::string& common_name) {
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(common_name.data()),
                                    static_cast<int>(common_name.size()), -1, 0) == 1;
}

bool add_extension(X509* certificate, X509* issuer, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

// All fields except names, extensions and signature.
Certificate blank(EVP_PKEY* key, std::int64_t valid_seconds) {
  Certificate certificate(X509_new());
  if (!certificate) return nullptr;
  const bool filled =
      X509_set_version(certificate.get(), 2) == 1 && set_random_serial(certificate.get()) &&
      X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kBackdatedSeconds) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(certificate.get()), valid_seconds) != nullptr &&
      X509_set_pubkey(certificate.get(), key) == 1;
  return filled ? std::move(certificate) : nullptr;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> ignored{};
  return inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
}

// Names go into OpenSSL's configuration syntax, in which a comma starts the next entry.
bool is_dns_name(const std::string& host) {
  return !host.empty() && host.size() <= 253 &&
         host.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-") ==
             std::string::npos;
}

std::optional<Timestamp> time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
  return Timestamp::from_seconds(::timegm(&parts));
}

struct Authority {
  Certificate certificate;
  Key key;
};

Result<Authority> read_authority(const KeyPair& pair) {
  forbid_passphrase_prompts();
  const Memory certificate_text = bio_of(pair.certificate_pem);
  const Memory key_text = bio_of(pair.key_pem);
  Authority authority{
      Certificate(PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr)),
      Key(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr))};
  if (!authority.certificate) return openssl_error("cannot read the authority's certificate");
  if (!authority.key) return openssl_error("cannot read the authority's key");
  if (X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1) {
    return openssl_error("the authority's key and certificate do not belong together");
  }
  return authority;
}

}  // namespace

Result<KeyPair> make_authority(const std::string& common_name, std::int64_t valid_seconds) {
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return openssl_error("cannot make a key");
  const Certificate certificate = blank(key.get(), valid_seconds);
  if (!certificate) return openssl_error("cannot make a certificate");
  X509* const raw = certificate.get();
  const bool made = set_name(X509_get_subject_name(raw), common_name) &&
                    X509_set_issuer_name(raw, X509_get_subject_name(raw)) == 1 &&
                    add_extension(raw, raw, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                    add_extension(raw, raw, NID_key_usage, "critical,keyCertSign,cRLSign") &&
                    add_extension(raw, raw, NID_subject_key_identifier, "hash") &&
                    X509_sign(raw, key.get(), EVP_sha256()) > 0;
  if (!made) return openssl_error("cannot make an authority");
  return to_pem(raw, key.get());
}

Result<KeyPair> issue_server_certificate(const KeyPair& authority,
                                         const std::vector<std::string>& hosts,
                                         const std::string& common_name,
                                         std::int64_t valid_seconds) {
  std::string names;
  for (const std::string& host : hosts) {
    if (!is_address(host) && !is_dns_name(host)) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("\"{}\" is neither an IP address nor a DNS name", host));
    }
    if (!names.empty()) names += ',';
    names += (is_address(host) ? "IP:" : "DNS:") + host;
  }
  EBB_ASSIGN_OR_RETURN(auto issuer, read_authority(authority));
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return openssl_error("cannot make a key");
  const Certificate certificate = blank(key.get(), valid_seconds);
  if (!certificate) return openssl_error("cannot make a certificate");
  X509* const raw = certificate.get();
  X509* const ca = issuer.certificate.get();
  const bool made = set_name(X509_get_subject_name(raw), common_name) &&
                    X509_set_issuer_name(raw, X509_get_subject_name(ca)) == 1 &&
                    add_extension(raw, ca, NID_basic_constraints, "critical,CA:FALSE") &&
                    add_extension(raw, ca, NID_key_usage, "critical,digitalSignature") &&
                    add_extension(raw, ca, NID_ext_key_usage, "serverAuth") &&
                    add_extension(raw, ca, NID_authority_key_identifier, "keyid") &&
                    (names.empty() || add_extension(raw, ca, NID_subject_alt_name, names)) &&
                    X509_sign(raw, issuer.key.get(), EVP_sha256()) > 0;
  if (!made) return openssl_error("cannot issue a certificate");
  return to_pem(raw, key.get());
}

Result<void> check_authority(const KeyPair& authority) {
  EBB_RETURN_IF_ERROR(read_authority(authority));
  return {};
}

Result<Validity> validity_of(std::string_view certificate_pem) {
  forbid_passphrase_prompts();
  const Memory text = bio_of(certificate_pem);
  const Certificate certificate(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  if (!certificate) return openssl_error("cannot read a certificate");
  const auto not_before = time_of(X509_get0_notBefore(certificate.get()));
  const auto not_after = time_of(X509_get0_notAfter(certificate.get()));
  if (!not_before || !not_after) return openssl_error("cannot read the validity of a certificate");
  return Validity{*not_before, *not_after};
}

}  // namespace ebb::net
