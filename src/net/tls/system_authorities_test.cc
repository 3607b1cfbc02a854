#include "net/tls/system_authorities.h"

#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include <curl/curl.h>
#include <gtest/gtest.h>
#include <openssl/pem.h>

#include "net/tls/certificate.h"

namespace ebb::net {
namespace {

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;

int authorities(const Context& context) {
  return sk_X509_OBJECT_num(X509_STORE_get0_objects(SSL_CTX_get_cert_store(context.get())));
}

// Of the file that curl uses, each certificate once.
std::size_t count_certificates() {
  const char* path = curl_version_info(CURLVERSION_NOW)->cainfo;
  std::ifstream file(path == nullptr ? "" : path);
  std::set<std::string> certificates;
  std::string certificate;
  for (std::string line; std::getline(file, line);) {
    certificate += line;
    if (!line.starts_with("-----END")) continue;
    certificates.insert(certificate);
    certificate.clear();
  }
  return certificates.size();
}

TEST(SystemAuthorities, AreBelievedBesidesOthers) {
  const auto own = make_authority("own").value();
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> text(
      BIO_new_mem_buf(own.certificate_pem.data(), static_cast<int>(own.certificate_pem.size())),
      &BIO_free_all);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr), &X509_free);
  for (int i = 0; i < 2; ++i) {
    const Context context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    ASSERT_EQ(X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), certificate.get()), 1);
    add_system_authorities(context.get());
    EXPECT_EQ(authorities(context), static_cast<int>(count_certificates()) + 1);
  }
}

}  // namespace
}  // namespace ebb::net
