// Parses an HTTP/1.1 response incrementally, with Beast's parser.
//
// The server is not trusted: heads are limited, and any ambiguity makes the response broken; its
// connection is then not reused.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace ebb::net {

// Receives a response as it arrives. Return false to abort.
class ReplyListener {
 public:
  virtual ~ReplyListener() = default;
  // Includes the line break. Also called for the blank line that ends a head.
  [[nodiscard]] virtual bool head_line(std::string_view line) = 0;
  [[nodiscard]] virtual bool body_piece(std::string_view piece) = 0;
};

class ReplyReader {
 public:
  enum class Progress : std::uint8_t { kGoesOn, kDone, kBroken };

  // Responses to HEAD announce a body but have none.
  explicit ReplyReader(bool to_head = false);
  ~ReplyReader();
  ReplyReader(ReplyReader&&) noexcept;
  ReplyReader& operator=(ReplyReader&&) noexcept;

  // Delivers head lines and pieces of the body. Call until the response is complete.
  [[nodiscard]] Progress feed(std::string_view bytes, ReplyListener& listener);
  // The connection was closed, which ends a response of unknown length.
  [[nodiscard]] Progress end() const;

  // Whether any data has arrived.
  [[nodiscard]] bool begun() const;
  // For a complete response: whether the connection can be reused.
  [[nodiscard]] bool keeps_connection() const;
  // Why it is broken.
  [[nodiscard]] std::string_view problem() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ebb::net
