#include "model/json/text_position.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(TextPosition, CountsLinesAndCharactersFromOne) {
  const std::string_view text = "ab\nä€x\r\n\nz";
  const std::pair<std::size_t, std::string_view> cases[] = {
      {0, "line 1, column 1"},  {2, "line 1, column 3"},  {3, "line 2, column 1"},
      {5, "line 2, column 2"},  {8, "line 2, column 3"},  {10, "line 2, column 5"},
      {11, "line 3, column 1"}, {12, "line 4, column 1"}, {13, "line 4, column 2"},
      {99, "line 4, column 2"},
  };
  for (const auto& [offset, position] : cases) {
    EXPECT_EQ(describe_position(text, offset), position) << offset;
  }
}

TEST(TextPosition, FindsTheFirstByteThatIsNotUtf8) {
  const std::pair<std::string_view, std::optional<std::size_t>> cases[] = {
      {"", std::nullopt},
      {"plain\nä€😀", std::nullopt},
      {"\xff", 0},
      {"ab\nä\xe4x", 5},  // Latin-1
      {"ab\xc3", 2},      // cut short
      {"ab\n\xe2\x82", 3},
      {"\xc0\x80", 0},           // overlong
      {"x\xed\xa0\x80", 1},      // half of a surrogate pair
      {"x\xf4\x90\x80\x80", 1},  // beyond Unicode
      {"x\x80", 1},              // a continuation without a start
      {"first\nsecond\n\xfe\n\xff", 13},
  };
  for (const auto& [text, offset] : cases) EXPECT_EQ(find_invalid_utf8(text), offset) << text;
}

TEST(TextPosition, FindsControlCharactersButNotTabsAndLineBreaks) {
  using namespace std::string_view_literals;
  EXPECT_EQ(find_control_character("a\tb\r\nä"), std::nullopt);
  EXPECT_EQ(find_control_character("ab\x04"), 2U);
  EXPECT_EQ(find_control_character("a\0b"sv), 1U);
  EXPECT_EQ(find_control_character("\x7f"), 0U);
  EXPECT_EQ(find_control_character("\x1b[0m"), 0U);
}

}  // namespace
}  // namespace ebb::model
