// Parses requests from the bytes of a connection, within limits. Knows no sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "net/server/http.h"

namespace ebb::net {

struct RequestLimits {
  std::size_t header_bytes = 64UL << 10;  // request line and headers together
  std::size_t header_count = 100;
  std::size_t body_bytes = 3UL << 20;
};

class RequestReader {
 public:
  enum class State {
    kHead,      // the head is incomplete
    kBody,      // the head is complete; the body is not
    kDone,      // the request is complete
    kTooLarge,  // the body exceeds the limit, or will
    kBad,       // not a valid request; see problem()
  };
  struct Problem {
    int code = 400;
    std::string text{};
  };

  explicit RequestReader(const RequestLimits& limits);
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;
  RequestReader& operator=(RequestReader&&) noexcept;

  // Parses the bytes and returns how many were consumed. Pass the others again, together with the
  // bytes that follow. Parsing pauses once after the head.
  [[nodiscard]] std::size_t take(std::string_view bytes);

  [[nodiscard]] State state() const;
  [[nodiscard]] const Problem& problem() const;

  // Available from kBody or kDone on, without the body.
  [[nodiscard]] const HttpRequest& head() const;
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool expects_continue() const;
  [[nodiscard]] bool is_http_1_0() const;

  // The request with its body.
  [[nodiscard]] HttpRequest release();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::net
