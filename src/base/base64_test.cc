#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace ebb::schema {
namespace {

std::string encode(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char c : bytes) {
    for (int bit = 7; bit >= 0; --bit) {
      bits += (static_cast<unsigned char>(c) >> bit & 1) != 0 ? '1' : '0';
    }
  }
  while (bits.size() % 6 != 0) bits += '0';
  std::string text;
  for (std::size_t i = 0; i < bits.size(); i += 6) {
    text += kDigits[std::stoul(bits.substr(i, 6), nullptr, 2)];
  }
  while (text.size() % 4 != 0) text += '=';
  return text;
}

TEST(Base64, ComesBackAsItWas) {
  EXPECT_TRUE(rc::check("decode_base64 undoes base64", [](const std::string& bytes) {
    RC_ASSERT(decode_base64(encode(bytes)) == bytes);
  }));
}

TEST(Base64, AllowsLineBreaks) { EXPECT_EQ(decode_base64(" YW\r\nJj\n"), "abc"); }

TEST(Base64, BecomesCanonicalWithoutLineBreaksAndUnusedBits) {
  for (std::string text : {"YWI=", "YW\r\nI=\n", "YWJ="}) {
    EXPECT_EQ(canonicalise_base64(text), std::nullopt);
    EXPECT_EQ(text, "YWI=");
  }
}

TEST(Base64, NamesTheOffsetOfTheFirstError) {
  for (auto [text, offset] :
       {std::pair<std::string, std::size_t>{"YW%j", 2}, {"YWI", 3}, {"Y===", 1}, {"YW= ", 2}}) {
    EXPECT_EQ(canonicalise_base64(text), offset) << text;
  }
}

TEST(Base64, RefusesInvalidText) {
  for (const char* text : {"a", "ab", "abc", "YWJj=", "YWI", "YW=I", "YW==YW==", "%", "===="}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
}

}  // namespace
}  // namespace ebb::schema
