// A blocking HTTP/1.1 client for tests that can also misbehave: it sends exactly what the test
// says, byte by byte if necessary. Every wait ends after 30 seconds.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::support {

struct HttpAnswer {
  int code = 0;                                // 0: no answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class HttpClient {
 public:
  static constexpr const char* kAnyCertificate = "any";

  // With certificate authorities (PEM), the client uses TLS and verifies the server, unless it is
  // kAnyCertificate. `from` is the client's own address, such as 127.0.0.2; empty for the default.
  explicit HttpClient(std::uint16_t port, const std::string& authority_pem = "",
                      const std::string& host = "127.0.0.1", const std::string& from = "");
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] bool connected() const;
  // The protocol negotiated by ALPN.
  [[nodiscard]] std::string protocol() const;

  // Returns whether everything was sent.
  bool send(std::string_view text);
  // Sends a request with a Content-Length body.
  bool send_request(std::string_view method, std::string_view target, std::string_view body = "",
                    std::string_view headers = "");
  // Receives a complete answer. `without_body` is for the answer to a HEAD request.
  [[nodiscard]] HttpAnswer receive(bool without_body = false);
  [[nodiscard]] HttpAnswer ask(std::string_view method, std::string_view target,
                               std::string_view body = "", std::string_view headers = "");

  // For streams: receive the head (the body is empty), then one chunk after the other.
  [[nodiscard]] HttpAnswer receive_head();
  // Returns nothing at the end of the stream, or if the connection broke.
  [[nodiscard]] std::optional<std::string> receive_chunk();

  // Whether the server closes without sending anything more.
  [[nodiscard]] bool is_closed_by_server();
  // Small receive buffers make the client a slow reader. Only before connecting.
  static void use_small_buffers(bool small);

 private:
  struct Impl;
  [[nodiscard]] bool read_more();
  [[nodiscard]] std::optional<std::string> read_line();
  [[nodiscard]] std::optional<std::string> read_bytes(std::size_t count);

  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::support
