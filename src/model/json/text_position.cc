#include "model/json/text_position.h"

#include <algorithm>

#include <fmt/format.h>
#include <simdjson.h>

namespace ebb::model {
namespace {

bool is_valid(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

// The length in bytes of the character that begins with this byte, if it is valid.
std::size_t character_size(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f;
}

}  // namespace

std::string describe_position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view same_line = before.substr(before.rfind('\n') + 1);
  const auto column = 1 + std::count_if(same_line.begin(), same_line.end(), starts_character);
  return fmt::format("line {}, column {}", line, column);
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  if (is_valid(text)) return std::nullopt;
  std::size_t offset = 0;
  // Whole lines first: they are checked many bytes at a time.
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', offset)) {
    if (!is_valid(text.substr(offset, end - offset))) break;
    offset = end + 1;
  }
  while (is_valid(text.substr(offset, character_size(text[offset])))) {
    offset += character_size(text[offset]);
  }
  return offset;
}

std::optional<std::size_t> find_control_character(std::string_view text) {
  const auto found = std::find_if(text.begin(), text.end(), is_control);
  if (found == text.end()) return std::nullopt;
  return static_cast<std::size_t>(found - text.begin());
}

}  // namespace ebb::model
