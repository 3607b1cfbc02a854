// Owning pointers for OpenSSL objects, and conversions for its memory streams.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

namespace ebb::net {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* value) const {
    Free(value);
  }
};

using OwnedKey = std::unique_ptr<EVP_PKEY, FreeWith<EVP_PKEY_free>>;
using OwnedCertificate = std::unique_ptr<X509, FreeWith<X509_free>>;
using OwnedBio = std::unique_ptr<BIO, FreeWith<BIO_free_all>>;

// Reads from the text, which must outlive the stream and be shorter than 2 GiB.
[[nodiscard]] inline OwnedBio bio_of(std::string_view text) {
  return OwnedBio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// The content of a memory stream.
[[nodiscard]] inline std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace ebb::net
