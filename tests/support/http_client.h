// A blocking HTTP/1.1 client for tests that also lets them misbehave: it sends what it is
// told, byte by byte if need be. Every wait ends after half a minute.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::support {

struct HttpAnswer {
  int code = 0;                                // 0: there was none
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;
};

class HttpClient {
 public:
  // With a certificate authority (PEM): over TLS, and the server has to prove itself.
  explicit HttpClient(std::uint16_t port, const std::string& authority_pem = "",
                      const std::string& host = "127.0.0.1");
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] bool connected() const;
  // The protocol that was agreed on by ALPN.
  [[nodiscard]] std::string protocol() const;

  // Whether all of it could be sent.
  bool send(std::string_view text);
  // A request with a body of known length.
  bool send_request(std::string_view method, std::string_view target, std::string_view body = "",
                    std::string_view headers = "");
  // A whole answer. `without_body`: to a HEAD request.
  [[nodiscard]] HttpAnswer receive(bool without_body = false);
  [[nodiscard]] HttpAnswer ask(std::string_view method, std::string_view target,
                               std::string_view body = "", std::string_view headers = "");

  // For streams: the head (body is empty), then one chunk after the other.
  [[nodiscard]] HttpAnswer receive_head();
  // Nothing at the end of the stream, or if the connection broke.
  [[nodiscard]] std::optional<std::string> receive_chunk();

  // Whether the server closes without sending anything more.
  [[nodiscard]] bool is_closed_by_server();
  // Small receive buffers make a slow reader out of the client. Before connecting only.
  static void use_small_buffers(bool small);

 private:
  struct Parts;
  [[nodiscard]] bool read_more();
  [[nodiscard]] std::optional<std::string> read_line();
  [[nodiscard]] std::optional<std::string> read_bytes(std::size_t count);

  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::support
