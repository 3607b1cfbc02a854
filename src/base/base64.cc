#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ebb {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> kBitsOf = [] {
  std::array<std::int8_t, 256> bits{};
  bits.fill(-1);
  for (std::size_t i = 0; i < kBase64Digits.size(); ++i) {
    bits[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::int8_t>(i);
  }
  return bits;
}();

// The six bits of a digit; -1 for other characters.
int bits_of(char c) { return kBitsOf[static_cast<unsigned char>(c)]; }

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
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t offset) {
      return i + offset < bytes.size() ? static_cast<unsigned char>(bytes[i + offset]) : 0U;
    };
    const unsigned bits = byte(0) << 16U | byte(1) << 8U | byte(2);
    text += kBase64Digits[bits >> 18U];
    text += kBase64Digits[bits >> 12U & 0x3fU];
    text += i + 1 < bytes.size() ? kBase64Digits[bits >> 6U & 0x3fU] : '=';
    text += i + 2 < bytes.size() ? kBase64Digits[bits & 0x3fU] : '=';
  }
  return text;
}

std::optional<std::size_t> canonicalise_base64(std::string& text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
  const auto end = std::find_if(text.begin(), text.end(), [](char c) { return bits_of(c) < 0; });
  const auto digits = static_cast<std::size_t>(end - text.begin());
  const std::size_t padding = text.size() - digits;
  const bool is_padded = padding <= 2 && text.find_first_not_of('=', digits) == std::string::npos;
  if (!is_padded) return digits;
  if (text.size() % 4 != 0) return text.size();
  if (padding > 0) {
    // One padding character leaves two bits of the last digit unused, two leave four.
    char& last = text[digits - 1];
    const unsigned unused = padding == 1 ? 0x3 : 0xf;
    last = kBase64Digits[static_cast<unsigned>(bits_of(last)) & ~unused];
  }
  return std::nullopt;
}

}  // namespace ebb
