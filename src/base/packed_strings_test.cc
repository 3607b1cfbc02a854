#include "base/packed_strings.h"

#include <gtest/gtest.h>

namespace ebb {
namespace {

TEST(PackedStrings, GivesBackWhatWasAddedInOrder) {
  PackedStrings list{"one", "", "three"};
  list.add("four");
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0], "one");
  EXPECT_EQ(list[1], "");
  EXPECT_EQ(list[2], "three");
  EXPECT_EQ(list[3], "four");
}

TEST(PackedStrings, IsEmptyAtFirst) { EXPECT_EQ(PackedStrings().size(), 0U); }

}  // namespace
}  // namespace ebb
