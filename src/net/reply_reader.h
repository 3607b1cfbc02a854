// Takes an HTTP/1.1 answer apart as its bytes come.
//
// The server is not trusted: heads are limited, a length is a number or an error, and after an
// answer that is unclear in any way its connection is not used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
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
  explicit ReplyReader(bool to_head = false) : to_head_(to_head) {}

  // Hands lines of the head and pieces of the body on. To be called until the answer is over.
  [[nodiscard]] Progress feed(std::string_view bytes, ReplyListener& listener);
  // The connection has ended, which ends an answer that announced no length.
  [[nodiscard]] Progress end() const;

  // Something has come.
  [[nodiscard]] bool begun() const { return begun_; }
  // Of an answer that is done: whether another may follow on the same connection.
  [[nodiscard]] bool keeps_connection() const { return keeps_; }
  // Why it is broken.
  [[nodiscard]] std::string_view problem() const { return problem_; }

 private:
  enum class Part : std::uint8_t {
    kStatus,
    kHead,
    kBody,  // so many bytes
    kRest,  // until the connection ends
    kChunkSize,
    kChunk,
    kChunkEnd,
    kTrailer,
    kOver,
  };

  Progress take(std::string_view& bytes, ReplyListener& listener);
  Progress take_body(std::string_view& bytes, ReplyListener& listener);
  Progress take_line(std::string_view& bytes, ReplyListener& listener);
  Progress whole_line(std::string_view line, ReplyListener& listener);
  Progress status_line(std::string_view line);
  Progress head_line(std::string_view line);
  Progress end_of_head();
  Progress chunk_size(std::string_view line);
  Progress broken(std::string_view why);
  Progress over();

  bool to_head_;
  bool begun_ = false;
  bool keeps_ = true;
  Part part_ = Part::kStatus;
  int code_ = 0;
  bool chunked_ = false;
  std::optional<std::uint64_t> length_{};
  std::uint64_t left_ = 0;      // of the body, or of the chunk
  std::size_t head_bytes_ = 0;  // all that is not body
  std::string line_{};          // its beginning, while its end has not come
  std::string_view problem_{};
};

}  // namespace ebb::net
