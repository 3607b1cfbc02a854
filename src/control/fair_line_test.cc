#include "control/fair_line.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

std::string all(FairLine& line) {
  std::string text;
  while (const auto key = line.next()) text += key->namespace_name + key->name + " ";
  return text;
}

TEST(FairLine, NamespacesTakeTurns) {
  FairLine line;
  for (const char* name : {"1", "2", "3"}) line.join({"a", name});
  line.join({"b", "1"});
  line.join({"c", "1"});
  line.join({"b", "2"});
  EXPECT_EQ(all(line), "a1 b1 c1 a2 b2 a3 ");
  EXPECT_TRUE(line.empty());
}

TEST(FairLine, WhoLeavesIsNotCalled) {
  FairLine line;
  for (const char* name : {"1", "2"}) line.join({"a", name});
  line.join({"b", "1"});
  EXPECT_TRUE(line.leave({"a", "1"}));
  EXPECT_FALSE(line.leave({"a", "1"}));
  EXPECT_TRUE(line.leave({"b", "1"}));
  EXPECT_EQ(line.size(), 1U);
  line.join({"b", "2"});
  EXPECT_EQ(all(line), "a2 b2 ");
}

}  // namespace
}  // namespace ebb::control
