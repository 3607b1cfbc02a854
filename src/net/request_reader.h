// Makes a request out of the bytes of a connection, within limits. Knows no sockets.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"

namespace ebb::net {

struct RequestLimits {
  std::size_t header_bytes = 64UL << 10;  // request line and headers together
  std::size_t header_count = 100;
  std::size_t body_bytes = 3UL << 20;
};

class RequestReader {
 public:
  enum class State {
    kHead,      // the head has not come yet
    kBody,      // the head is there; more of the body has to come
    kDone,      // the request is complete
    kTooLarge,  // the body is, or will be, longer than the limit
    kBad,       // this is no request; see problem()
  };
  struct Problem {
    int code = 400;
    std::string text{};
  };

  explicit RequestReader(const RequestLimits& limits);
  ~RequestReader();
  RequestReader(RequestReader&&) noexcept;
  RequestReader& operator=(RequestReader&&) noexcept;

  // Goes on with the bytes and says how many of them are done with. The others have to
  // be given again, with what follows them. It stops once after the head.
  [[nodiscard]] std::size_t take(std::string_view bytes);

  [[nodiscard]] State state() const;
  [[nodiscard]] const Problem& problem() const;

  // From kBody or kDone on, without the body.
  [[nodiscard]] const HttpRequest& head() const;
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool expects_continue() const;
  [[nodiscard]] bool is_http_1_0() const;

  // The request with its body.
  [[nodiscard]] HttpRequest release();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::net
