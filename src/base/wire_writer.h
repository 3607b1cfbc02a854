// Writes fields of protobuf messages: the subset that Kubernetes and api/picker/v1/picker.proto
// use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb {

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

// How many bytes append_varint writes.
[[nodiscard]] constexpr std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7U) ++size;
  return size;
}

// Writes the tag and length that precede the bytes of a string or message.
inline void append_bytes_head(std::string& out, unsigned number, std::size_t size) {
  constexpr unsigned kBytes = 2;
  append_varint(out, number << 3U | kBytes);
  append_varint(out, size);
}
[[nodiscard]] constexpr std::size_t bytes_head_size(unsigned number, std::size_t size) {
  return varint_size(std::uint64_t{number} << 3U) + varint_size(size);
}

// Writes a message or a list item, even if it is empty.
inline void append_message_field(std::string& out, unsigned number, std::string_view bytes) {
  append_bytes_head(out, number, bytes.size());
  out += bytes;
}

// Writes a number, even if it is zero.
inline void append_varint_field(std::string& out, unsigned number, std::uint64_t value) {
  append_varint(out, number << 3U);
  append_varint(out, value);
}

inline void append_fixed64_field(std::string& out, unsigned number, std::uint64_t bits) {
  constexpr unsigned kFixed64 = 1;
  append_varint(out, number << 3U | kFixed64);
  for (int i = 0; i < 8; ++i, bits >>= 8U) out += static_cast<char>(bits);
}

// Writes a plain field. As in proto3, a zero value is not written.
inline void append_text_field(std::string& out, unsigned number, std::string_view text) {
  if (!text.empty()) append_message_field(out, number, text);
}
inline void append_number_field(std::string& out, unsigned number, std::int64_t value) {
  if (value != 0) append_varint_field(out, number, static_cast<std::uint64_t>(value));
}

// The length of a message precedes it but is known only after it is written:
//   const std::size_t start = begin_message(out, 2);  ... fields ...  end_message(out, start);
[[nodiscard]] inline std::size_t begin_message(std::string& out, unsigned number) {
  append_bytes_head(out, number, 0);
  return out.size();
}
inline void end_message(std::string& out, std::size_t start) {
  const std::size_t size = out.size() - start;
  if (size < 0x80) {
    out[start - 1] = static_cast<char>(size);
    return;
  }
  std::string length;
  append_varint(length, size);
  out.replace(start - 1, 1, length);
}

}  // namespace ebb
