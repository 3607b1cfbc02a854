// A memory buffer for files.
#pragma once

#include <cstddef>
#include <string_view>

namespace ebb::cli {

// A text followed by the spare bytes that the JSON parser may read. It grows by remapping, so that
// a text of unknown size is never copied.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  // Returns room for `size` more bytes after the text, or null if memory ran out.
  [[nodiscard]] char* reserve(std::size_t size);
  // Adds to the text `size` bytes that were written into the reserved room.
  void append(std::size_t size) { size_ += size; }
  // Removes the first `size` bytes of the text.
  void drop(std::size_t size);

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace ebb::cli
