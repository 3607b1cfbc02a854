// Writes fields of protobuf messages, the few types that api/picker/v1/picker.proto uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::picker {

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

// A message or an item of a list, which is written even when it is empty.
inline void append_message_field(std::string& out, unsigned number, std::string_view bytes) {
  constexpr unsigned kBytes = 2;
  append_varint(out, number << 3U | kBytes);
  append_varint(out, bytes.size());
  out += bytes;
}

// A plain field: zero is not written, as proto3 has it.
inline void append_text_field(std::string& out, unsigned number, std::string_view text) {
  if (!text.empty()) append_message_field(out, number, text);
}
inline void append_number_field(std::string& out, unsigned number, std::int64_t value) {
  if (value == 0) return;
  append_varint(out, number << 3U);
  append_varint(out, static_cast<std::uint64_t>(value));
}

}  // namespace ebb::picker
