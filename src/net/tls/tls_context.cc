#include "net/tls/tls_context.h"

#include <array>

#include <boost/asio/buffer.hpp>
#include <fmt/format.h>
#include <openssl/ssl.h>

#include "net/tls/passphrase_prompt.h"

namespace ebb::net {
namespace {

namespace asio = boost::asio;

// One protocol name in ALPN's format: its length, then its letters.
constexpr std::array<unsigned char, 9> kProtocols = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

int choose_protocol(SSL* /*connection*/, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void* /*unused*/) {
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kProtocols.data(), kProtocols.size(), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<asio::ssl::context> make_tls_context(const KeyPair& server) {
  forbid_passphrase_prompts();
  asio::ssl::context context(asio::ssl::context::tls_server);
  SSL_CTX* native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // A thousand mostly idle watchers should not hold TLS buffers.
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
  boost::system::error_code error;
  context.use_certificate_chain(asio::buffer(server.certificate_pem), error);
  if (!error) {
    context.use_private_key(asio::buffer(server.key_pem), asio::ssl::context::pem, error);
  }
  if (!error) return context;
  return fail(ErrorCode::kInvalidInput,
              fmt::format("the server's certificate cannot be used: {}", error.message()));
}

}  // namespace ebb::net
