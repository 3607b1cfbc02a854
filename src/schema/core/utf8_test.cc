#include "schema/core/utf8.h"

#include <gtest/gtest.h>

namespace ebb::schema {
namespace {

TEST(Utf8, BytesThatBelongToNoCharacterAreReplaced) {
  const struct {
    std::string_view bytes;
    std::string_view text;
  } cases[] = {
      {"", ""},
      {"plain", "plain"},
      {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"a\xff"
       "b",
       "a\xef\xbf\xbd"
       "b"},
      {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},                  // cut off
      {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},                  // longer than it has to be
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},  // half of a surrogate pair
      {"\xe2"
       "a\xc3\xa4",
       "\xef\xbf\xbd"
       "a\xc3\xa4"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(as_utf8(each.bytes), each.text);
    EXPECT_TRUE(is_utf8(as_utf8(each.bytes)));
  }
}

}  // namespace
}  // namespace ebb::schema
