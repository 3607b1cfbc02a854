#include "support/net/http_client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <csignal>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace ebb::support {
namespace {

constexpr int kPatienceSeconds = 30;
bool small_buffers = false;

}  // namespace

struct HttpClient::Impl {
  ~Impl() {
    if (tls != nullptr) SSL_free(tls);
    if (context != nullptr) SSL_CTX_free(context);
    if (socket >= 0) ::close(socket);
  }

  int socket = -1;
  bool connected = false;
  SSL_CTX* context = nullptr;
  SSL* tls = nullptr;
  std::string input;

  bool connect(std::uint16_t port, const std::string& from);
  bool start_tls(const std::string& authority_pem, const std::string& host);
};

bool HttpClient::Impl::connect(std::uint16_t port, const std::string& from) {
  socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{kPatienceSeconds, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (small_buffers) {
    const int size = 4096;
    ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  }
  if (!from.empty()) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    if (::inet_pton(AF_INET, from.c_str(), &own.sin_addr) != 1 ||
        ::bind(socket, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0) {
      return false;
    }
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

bool HttpClient::Impl::start_tls(const std::string& authority_pem, const std::string& host) {
  context = SSL_CTX_new(TLS_client_method());
  if (authority_pem != kAnyCertificate) {
    BIO* text = BIO_new_mem_buf(authority_pem.data(), static_cast<int>(authority_pem.size()));
    while (X509* authority = PEM_read_bio_X509(text, nullptr, nullptr, nullptr)) {
      X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority);
      X509_free(authority);
    }
    ERR_clear_error();  // the end of the text is an error, too
    BIO_free(text);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  }
  tls = SSL_new(context);
  X509_VERIFY_PARAM* expected = SSL_get0_param(tls);
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) != 1) {
    X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size());
  }
  constexpr std::array<unsigned char, 12> kOffered = {2,   'h', '2', 8,   'h', 't',
                                                      't', 'p', '/', '1', '.', '1'};
  SSL_set_alpn_protos(tls, kOffered.data(), kOffered.size());
  SSL_set_fd(tls, socket);
  return SSL_connect(tls) == 1;
}

HttpClient::HttpClient(std::uint16_t port, const std::string& authority_pem,
                       const std::string& host, const std::string& from)
    : impl_(std::make_unique<Impl>()) {
  std::signal(SIGPIPE, SIG_IGN);
  impl_->connected = impl_->connect(port, from);
  if (impl_->connected && !authority_pem.empty()) {
    impl_->connected = impl_->start_tls(authority_pem, host);
  }
}

HttpClient::~HttpClient() = default;

bool HttpClient::connected() const { return impl_->connected; }

std::string HttpClient::protocol() const {
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(impl_->tls, &name, &size);
  return name == nullptr ? "" : std::string(reinterpret_cast<const char*>(name), size);
}

bool HttpClient::send(std::string_view text) {
  while (!text.empty()) {
    const auto sent = impl_->tls != nullptr
                          ? static_cast<ssize_t>(
                                SSL_write(impl_->tls, text.data(), static_cast<int>(text.size())))
                          : ::send(impl_->socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool HttpClient::send_request(std::string_view method, std::string_view target,
                              std::string_view body, std::string_view headers) {
  const std::string length = body.empty() ? "" : fmt::format("Content-Length: {}\r\n", body.size());
  return send(fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}{}\r\n{}", method, target, length,
                          headers, body));
}

bool HttpClient::read_more() {
  std::array<char, 16384> piece{};
  const auto count =
      impl_->tls != nullptr
          ? static_cast<ssize_t>(SSL_read(impl_->tls, piece.data(), static_cast<int>(piece.size())))
          : ::recv(impl_->socket, piece.data(), piece.size(), 0);
  if (count <= 0) return false;
  impl_->input.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> HttpClient::read_line() {
  std::size_t end = 0;
  while ((end = impl_->input.find("\r\n")) == std::string::npos) {
    if (!read_more()) return std::nullopt;
  }
  std::string line = impl_->input.substr(0, end);
  impl_->input.erase(0, end + 2);
  return line;
}

std::optional<std::string> HttpClient::read_bytes(std::size_t count) {
  while (impl_->input.size() < count) {
    if (!read_more()) return std::nullopt;
  }
  std::string bytes = impl_->input.substr(0, count);
  impl_->input.erase(0, count);
  return bytes;
}

HttpAnswer HttpClient::receive_head() {
  HttpAnswer answer;
  const auto first = read_line();
  if (!first || first->size() < 12) return answer;
  std::from_chars(first->data() + 9, first->data() + 12, answer.code);
  for (;;) {
    const auto line = read_line();
    if (!line || line->empty()) return answer;
    const auto colon = line->find(": ");
    std::string name = line->substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    answer.headers[name] = colon == std::string::npos ? "" : line->substr(colon + 2);
  }
}

std::optional<std::string> HttpClient::receive_chunk() {
  const auto line = read_line();
  if (!line) return std::nullopt;
  std::size_t size = 0;
  std::from_chars(line->data(), line->data() + line->size(), size, 16);
  auto chunk = read_bytes(size);
  if (!read_line() || size == 0) return std::nullopt;
  return chunk;
}

HttpAnswer HttpClient::receive(bool without_body) {
  HttpAnswer answer = receive_head();
  if (answer.code == 0 || without_body) return answer;
  if (answer.headers.contains("transfer-encoding")) {
    while (const auto chunk = receive_chunk()) answer.body += *chunk;
  } else if (answer.headers.contains("content-length")) {
    answer.body = read_bytes(std::stoul(answer.headers["content-length"])).value_or("cut off");
  }
  return answer;
}

HttpAnswer HttpClient::ask(std::string_view method, std::string_view target, std::string_view body,
                           std::string_view headers) {
  send_request(method, target, body, headers);
  return receive();
}

bool HttpClient::is_closed_by_server() { return impl_->input.empty() && !read_more(); }

void HttpClient::use_small_buffers(bool small) { small_buffers = small; }

}  // namespace ebb::support
