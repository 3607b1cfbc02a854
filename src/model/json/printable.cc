#include "model/json/printable.h"

#include <algorithm>

#include <fmt/format.h>

namespace ebb::model {
namespace {

constexpr std::size_t kHeadBytes = 600;
constexpr std::size_t kTailBytes = 300;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The start of the character at this position. A character has at most four bytes; in a text that
// is not UTF-8, longer sequences of such bytes are possible.
std::size_t start_of_character(std::string_view text, std::size_t at) {
  for (int bytes = 1; bytes < 4 && continues_character(text[at]); ++bytes) --at;
  return at;
}

}  // namespace

std::string shortened(std::string_view text) {
  if (text.size() <= kHeadBytes + kTailBytes) return std::string(text);
  const std::size_t head = start_of_character(text, kHeadBytes);
  const std::size_t tail = start_of_character(text, text.size() - kTailBytes);
  return fmt::format("{}[...]{}", text.substr(0, head), text.substr(tail));
}

std::string printable(std::string text) {
  // Nearly every text needs no change. 0xc2 may begin a control character.
  const auto suspicious = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || byte == 0xc2;
  };
  if (std::none_of(text.begin(), text.end(), suspicious)) return text;
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04x}", byte);
    } else if (byte == 0xc2 && next < 0xa0 && next >= 0x80) {  // U+0080 to U+009F
      result += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string printable_and_short(std::string_view text) { return printable(shortened(text)); }

}  // namespace ebb::model
