#include "schema/core/utf8.h"

#include <algorithm>

#include <simdjson.h>

namespace ebb::schema {

bool is_utf8(std::string_view bytes) {
  // A fast path without CPU detection, because nearly every text is ASCII.
  const bool is_ascii = std::all_of(bytes.begin(), bytes.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return is_ascii || simdjson::validate_utf8(bytes.data(), bytes.size());
}

namespace {

// The length of a character by its first byte; 0 if the byte cannot start a character.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

}  // namespace

std::string as_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = announced_length(static_cast<unsigned char>(bytes.front()));
    const std::string_view character = bytes.substr(0, length);
    const bool is_whole = length > 0 && character.size() == length && is_utf8(character);
    text += is_whole ? character : kReplacement;
    bytes.remove_prefix(is_whole ? length : 1);
  }
  return text;
}

}  // namespace ebb::schema
