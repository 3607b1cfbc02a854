// Memory to read files into.
#pragma once

#include <cstddef>
#include <string_view>

namespace ebb::cli {

// A text with the spare bytes behind it that the JSON parser reads over. Grown by
// remapping, so that a text of unknown size is never copied.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  // Room for `size` more bytes behind the text; null if memory ran out.
  [[nodiscard]] char* reserve(std::size_t size);
  // That many bytes were written there and belong to the text.
  void append(std::size_t size) { size_ += size; }
  // Forgets the beginning of the text.
  void drop(std::size_t size);

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace ebb::cli
