#include "model/records/deletion_cost.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(DeletionCost, AcceptsWhatTheApiServerAccepts) {
  EXPECT_EQ(parse_deletion_cost("0"), 0);
  EXPECT_EQ(parse_deletion_cost("-0"), 0);
  EXPECT_EQ(parse_deletion_cost("-00"), 0);
  EXPECT_EQ(parse_deletion_cost("-008"), -8);
  EXPECT_EQ(parse_deletion_cost("10"), 10);
  EXPECT_EQ(parse_deletion_cost("2147483647"), 2147483647);
  EXPECT_EQ(parse_deletion_cost("-2147483648"), -2147483647 - 1);
}

TEST(DeletionCost, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "00", "008", "+10", " 10", "10 ", "-", "1e3", "1_0", "0x10", "--1", "-+1", "1.0",
        "2147483648", "-2147483649", "٣", "99999999999999999999", "-99999999999999999999"}) {
    EXPECT_EQ(parse_deletion_cost(text), std::nullopt) << '"' << text << '"';
  }
}

}  // namespace
}  // namespace ebb::model
