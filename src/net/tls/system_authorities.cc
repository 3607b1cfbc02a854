#include "net/tls/system_authorities.h"

#include <memory>
#include <vector>

#include <curl/curl.h>
#include <openssl/err.h>
#include <openssl/pem.h>

namespace ebb::net {
namespace {

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};
struct FreeFile {
  void operator()(BIO* file) const { BIO_free_all(file); }
};
using Certificates = std::vector<std::unique_ptr<X509, FreeCertificate>>;

// From the file that curl reads by default.
Certificates read_certificates() {
  Certificates certificates;
  const char* path = curl_version_info(CURLVERSION_NOW)->cainfo;
  if (path == nullptr) return certificates;
  const std::unique_ptr<BIO, FreeFile> file(BIO_new_file(path, "r"));
  while (file) {
    X509* certificate = PEM_read_bio_X509(file.get(), nullptr, nullptr, nullptr);
    if (certificate == nullptr) break;
    certificates.emplace_back(certificate);
  }
  // OpenSSL reports the end of the file as an error.
  ERR_clear_error();
  return certificates;
}

}  // namespace

void add_system_authorities(SSL_CTX* context) {
  static const Certificates kCertificates = read_certificates();
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  for (const auto& certificate : kCertificates) X509_STORE_add_cert(store, certificate.get());
  // A duplicate is not an error, although some OpenSSL versions report one.
  ERR_clear_error();
}

}  // namespace ebb::net
