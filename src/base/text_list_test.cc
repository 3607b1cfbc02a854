#include "base/text_list.h"

#include <gtest/gtest.h>

namespace ebb {
namespace {

TEST(TextList, GivesBackWhatWasAddedInOrder) {
  TextList list{"one", "", "three"};
  list.add("four");
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0], "one");
  EXPECT_EQ(list[1], "");
  EXPECT_EQ(list[2], "three");
  EXPECT_EQ(list[3], "four");
}

TEST(TextList, IsEmptyAtFirst) { EXPECT_EQ(TextList().size(), 0U); }

}  // namespace
}  // namespace ebb
