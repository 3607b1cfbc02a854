#include "model/json/printable.h"

#include <gtest/gtest.h>
#include <simdjson.h>

namespace ebb::model {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("Pod shop/web-1: \"ä€😀\" \u00a0"), "Pod shop/web-1: \"ä€😀\" \u00a0");
}

TEST(Printable, SpellsControlCharacters) {
  using namespace std::string_view_literals;
  EXPECT_EQ(printable(std::string("a\nb\t\x1b[31m\x7f\0"sv)),
            "a\\u000ab\\u0009\\u001b[31m\\u007f\\u0000");
  EXPECT_EQ(printable("\u0085x\u009b"), "\\u0085x\\u009b");
}

TEST(Printable, LeavesOutTheMiddleOfALongTextButNotPartsOfCharacters) {
  for (const std::string_view character : {"x", "ä", "€", "😀"}) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
      std::string text = "begin" + std::string(shift, '.');
      for (int i = 0; i < 1000; ++i) text += character;
      const std::string result = printable_and_short(text + "end");
      EXPECT_TRUE(result.starts_with("begin") && result.ends_with("end"));
      EXPECT_LT(result.size(), 950U);
      EXPECT_NE(result.find("[...]"), std::string::npos);
      EXPECT_TRUE(simdjson::validate_utf8(result.data(), result.size()));
    }
  }
}

TEST(Printable, ShortensTextThatIsNotUtf8) {
  for (const std::size_t size : {900UL, 901UL, 300'000UL}) {
    EXPECT_LT(shortened(std::string(size, '\x80')).size(), 950U) << size;
  }
}

}  // namespace
}  // namespace ebb::model
