#include "support/net/raw_server.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ebb::support {
namespace {

SSL* ssl_of(void* tls) { return static_cast<SSL*>(tls); }

std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

X509* read_certificate(const std::string& pem) {
  BIO* memory = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(memory, nullptr, nullptr, nullptr);
  BIO_free(memory);
  return certificate;
}

EVP_PKEY* parse_key(const std::string& pem) {
  BIO* memory = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  EVP_PKEY* key = PEM_read_bio_PrivateKey(memory, nullptr, nullptr, nullptr);
  BIO_free(memory);
  return key;
}

std::string write_certificate(X509* certificate) {
  BIO* memory = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(memory, certificate);
  std::string pem = text_of(memory);
  BIO_free(memory);
  return pem;
}

int agree_to_http2(SSL* /*connection*/, const unsigned char** chosen, unsigned char* size,
                   const unsigned char* offered, unsigned int offered_size, void* /*unused*/) {
  // Static, because what is chosen points into it.
  static constexpr std::array<unsigned char, 3> kHttp2 = {2, 'h', '2'};
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kHttp2.data(), kHttp2.size(), offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

SSL_CTX* make_context(const RawTls& tls) {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  X509* certificate = read_certificate(tls.certificate_pem);
  EVP_PKEY* key = parse_key(tls.key_pem);
  if (SSL_CTX_use_certificate(context, certificate) != 1 ||
      SSL_CTX_use_PrivateKey(context, key) != 1) {
    throw std::runtime_error("the raw server's certificate cannot be used");
  }
  X509_free(certificate);
  EVP_PKEY_free(key);
  if (!tls.issuers_pem.empty()) {
    BIO* memory = BIO_new_mem_buf(tls.issuers_pem.data(), static_cast<int>(tls.issuers_pem.size()));
    while (X509* issuer = PEM_read_bio_X509(memory, nullptr, nullptr, nullptr)) {
      SSL_CTX_add_extra_chain_cert(context, issuer);  // takes ownership
    }
    ERR_clear_error();
    BIO_free(memory);
  }
  if (tls.ask_for_certificate) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 1; });
    SSL_CTX_set_session_id_context(context, reinterpret_cast<const unsigned char*>("raw"), 3);
  }
  if (!tls.ciphers.empty()) {
    SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_dh_auto(context, 1);
    SSL_CTX_set_cipher_list(context, tls.ciphers.c_str());
  }
  if (!tls.groups.empty()) SSL_CTX_set1_groups_list(context, tls.groups.c_str());
  if (tls.http2) SSL_CTX_set_alpn_select_cb(context, agree_to_http2, nullptr);
  return context;
}

}  // namespace

RawConnection::~RawConnection() {
  close();
  SSL_free(ssl_of(tls_));
}

void RawConnection::close() {
  if (socket_ < 0) return;
  if (tls_ != nullptr) SSL_shutdown(ssl_of(tls_));
  // The server closes the socket itself, once no other thread can mistake it for another.
  shutdown(socket_, SHUT_RDWR);
  socket_ = -1;
}

void RawConnection::reset() {
  if (socket_ < 0) return;
  // Makes a reset of the close that comes when the script is over.
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_ = -1;
}

int RawConnection::read_some(char* into, int size) {
  if (socket_ < 0) return 0;
  if (tls_ != nullptr) return SSL_read(ssl_of(tls_), into, size);
  return static_cast<int>(recv(socket_, into, static_cast<std::size_t>(size), 0));
}

std::optional<std::string> RawConnection::read_request() {
  std::array<char, 4096> buffer;
  while (true) {
    const std::size_t end = unread_.find("\r\n\r\n");
    if (end != std::string::npos) {
      std::size_t length = 0;
      constexpr std::string_view kLength = "Content-Length: ";
      const std::size_t at = unread_.find(kLength);
      if (at < end) length = std::stoul(unread_.substr(at + kLength.size()));
      if (unread_.size() >= end + 4 + length) {
        std::string request = unread_.substr(0, end + 4 + length);
        unread_.erase(0, request.size());
        return request;
      }
    }
    const int count = read_some(buffer.data(), static_cast<int>(buffer.size()));
    if (count <= 0) return std::nullopt;
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

bool RawConnection::write(std::string_view text) {
  while (!text.empty()) {
    if (socket_ < 0) return false;
    const auto count =
        tls_ != nullptr ? SSL_write(ssl_of(tls_), text.data(), static_cast<int>(text.size()))
                        : static_cast<int>(send(socket_, text.data(), text.size(), MSG_NOSIGNAL));
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool RawConnection::answer(int code, std::string_view body, std::string_view headers) {
  return write(fmt::format("HTTP/1.1 {} X\r\nContent-Length: {}\r\n{}\r\n{}", code, body.size(),
                           headers, body));
}

bool RawConnection::is_closed_by_client() {
  std::array<char, 4096> buffer;
  while (read_some(buffer.data(), static_cast<int>(buffer.size())) > 0) {
  }
  return true;
}

std::string RawConnection::server_name() const {
  const char* name =
      tls_ == nullptr ? nullptr : SSL_get_servername(ssl_of(tls_), TLSEXT_NAMETYPE_host_name);
  return name == nullptr ? "" : name;
}

std::string RawConnection::client_certificate_pem() const {
  X509* certificate = tls_ == nullptr ? nullptr : SSL_get1_peer_certificate(ssl_of(tls_));
  if (certificate == nullptr) return {};
  std::string pem = write_certificate(certificate);
  X509_free(certificate);
  return pem;
}

RawServer::RawServer(Script script, std::optional<RawTls> tls) : script_(std::move(script)) {
  if (tls) context_ = make_context(*tls);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener_, 1024) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the raw server cannot listen");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

RawServer::~RawServer() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (const int socket : sockets_) shutdown(socket, SHUT_RDWR);
  }
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
  close(listener_);
  SSL_CTX_free(static_cast<SSL_CTX*>(context_));
}

std::string RawServer::url(std::string_view path) const {
  return fmt::format("{}://127.0.0.1:{}{}", context_ == nullptr ? "http" : "https", port_, path);
}

void RawServer::accept_all() {
  while (true) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const MutexLock lock(mutex_);
    if (stopping_) {
      close(socket);
      return;
    }
    sockets_.push_back(socket);
    const int number = connections_++;
    threads_.emplace_back([this, socket, number] { serve(socket, number); });
  }
}

void RawServer::serve(int socket, int number) {
  // OpenSSL writes to connections that the client has closed. Only here: the client under test
  // has to cope by itself.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  {
    SSL* tls = nullptr;
    if (context_ != nullptr) {
      tls = SSL_new(static_cast<SSL_CTX*>(context_));
      SSL_set_fd(tls, socket);
    }
    RawConnection connection(socket, tls);
    if (tls == nullptr || SSL_accept(tls) == 1) script_(connection, number);
  }
  const MutexLock lock(mutex_);
  sockets_.erase(std::find(sockets_.begin(), sockets_.end(), socket));
  close(socket);
}

std::string expired(const std::string& certificate_pem, const std::string& authority_key_pem) {
  constexpr long kDaySeconds = 24L * 60 * 60;
  X509* certificate = read_certificate(certificate_pem);
  EVP_PKEY* key = parse_key(authority_key_pem);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate), -kDaySeconds);
  X509_sign(certificate, key, EVP_sha256());
  std::string pem = write_certificate(certificate);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return pem;
}

}  // namespace ebb::support
