// Takes an HTTP/1.1 answer apart as its bytes come, with Beast's parser.
//
// The server is not trusted: heads are limited, and an answer that is unclear in any way is broken,
// after which its connection is not used again.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace ebb::net {

// Who hears an answer as it comes. False: no more of it.
class ReplyListener {
 public:
  virtual ~ReplyListener() = default;
  // With its line break. The blank line that ends a head is told too.
  [[nodiscard]] virtual bool head_line(std::string_view line) = 0;
  [[nodiscard]] virtual bool body_piece(std::string_view piece) = 0;
};

class ReplyReader {
 public:
  enum class Progress : std::uint8_t { kGoesOn, kDone, kBroken };

  // Answers to HEAD have the head of a body and no body.
  explicit ReplyReader(bool to_head = false);
  ~ReplyReader();
  ReplyReader(ReplyReader&&) noexcept;
  ReplyReader& operator=(ReplyReader&&) noexcept;

  // Hands lines of the head and pieces of the body on. To be called until the answer is over.
  [[nodiscard]] Progress feed(std::string_view bytes, ReplyListener& listener);
  // The connection has ended, which ends an answer that announced no length.
  [[nodiscard]] Progress end() const;

  // Something has come.
  [[nodiscard]] bool begun() const;
  // Of an answer that is done: whether another may follow on the same connection.
  [[nodiscard]] bool keeps_connection() const;
  // Why it is broken.
  [[nodiscard]] std::string_view problem() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ebb::net
