#include "schema/base64.h"

namespace ebb::schema {
namespace {

// The six bits of a digit; -1 for what is none.
int bits_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned pending = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (is_blank(c)) continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const int bits = bits_of(c);
    if (bits < 0 || padding > 0) return std::nullopt;
    pending = pending << 6 | static_cast<unsigned>(bits);
    if (++digits % 4 == 0) {
      bytes += static_cast<char>(pending >> 16 & 0xff);
      bytes += static_cast<char>(pending >> 8 & 0xff);
      bytes += static_cast<char>(pending & 0xff);
    }
  }
  const std::size_t left = digits % 4;
  if (left == 1 || padding != (4 - left) % 4) return std::nullopt;
  if (left == 2) bytes += static_cast<char>(pending >> 4 & 0xff);
  if (left == 3) {
    bytes += static_cast<char>(pending >> 10 & 0xff);
    bytes += static_cast<char>(pending >> 2 & 0xff);
  }
  return bytes;
}

std::string encode_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t offset) {
      return i + offset < bytes.size() ? static_cast<unsigned char>(bytes[i + offset]) : 0U;
    };
    const unsigned bits = byte(0) << 16U | byte(1) << 8U | byte(2);
    text += kDigits[bits >> 18U];
    text += kDigits[bits >> 12U & 0x3fU];
    text += i + 1 < bytes.size() ? kDigits[bits >> 6U & 0x3fU] : '=';
    text += i + 2 < bytes.size() ? kDigits[bits & 0x3fU] : '=';
  }
  return text;
}

}  // namespace ebb::schema
