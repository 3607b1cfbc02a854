#include "control/cache/list_page.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

TEST(ListPage, HasItsItemsItsRevisionAndItsToken) {
  const auto page = read_page(
      R"({"kind":"PodList","metadata":{"resourceVersion":"42","continue":"abc"},"items":[{"a":1}, 2]})");
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->revision, 42U);
  EXPECT_EQ(page->continue_token, "abc");
  EXPECT_EQ(page->items, (std::vector<std::string_view>{R"({"a":1})", "2"}));
}

TEST(ListPage, MayHaveNoItems) {
  for (const char* items : {"[]", "[ ]", "null"}) {
    const auto page =
        read_page(R"({"metadata":{"resourceVersion":"1"},"items":)" + std::string(items) + "}");
    ASSERT_TRUE(page) << items;
    EXPECT_TRUE(page->items.empty());
  }
}

// Objects that are not found in a page count as deleted, so there must be no way to miss one.
TEST(ListPage, IsRefusedIfItMakesNoSenseToItsEnd) {
  const std::string page = R"({"metadata":{"resourceVersion":"1"},"items":[{"a":1},{"b":2}]})";
  ASSERT_TRUE(read_page(page));
  for (std::size_t cut = 0; cut < page.size(); ++cut) {
    EXPECT_FALSE(read_page(std::string_view(page).substr(0, cut))) << cut;
  }
  for (const char* items : {R"([{"a":1},,{"b":2}])", R"([{"a":1},])", R"([{"a":1}}, {"b":2}])",
                            R"([{"a":1},]])", R"({"a":1})", "7", R"("a")", R"([1] [2])"}) {
    const std::string text =
        R"({"metadata":{"resourceVersion":"1"},"items":)" + std::string(items) + "}";
    EXPECT_FALSE(read_page(text)) << text;
  }
  EXPECT_FALSE(read_page(R"({"items":[1],"metadata":{"resourceVersion":"1"},"items":[]})"));
  EXPECT_FALSE(read_page(R"({"items":[1],"metadata":{"resourceVersion":"1"}} {})"));
}

// The token would be sent back with its escapes.
TEST(ListPage, IsRefusedIfItsTokenHasEscapes) {
  EXPECT_FALSE(
      read_page(R"({"items":[],"metadata":{"resourceVersion":"1","continue":"a\u003d"}})"));
}

}  // namespace
}  // namespace ebb::control
