#include "base/fair_queue.h"

#include <gtest/gtest.h>

namespace ebb {
namespace {

using Line = FairQueue<std::string>;

std::string all(Line& line) {
  std::string text;
  while (const auto item = line.next()) text += *item + " ";
  return text;
}

TEST(FairQueue, TenantsTakeTurns) {
  Line line;
  for (const char* item : {"a1", "a2", "a3"}) line.join("a", item);
  line.join("b", "b1");
  line.join("c", "c1");
  line.join("b", "b2");
  EXPECT_EQ(all(line), "a1 b1 c1 a2 b2 a3 ");
  EXPECT_TRUE(line.empty());
}

TEST(FairQueue, AnItemThatLeftIsNotCalled) {
  Line line;
  for (const char* item : {"a1", "a2"}) line.join("a", item);
  line.join("b", "b1");
  EXPECT_TRUE(line.leave("a", "a1"));
  EXPECT_FALSE(line.leave("a", "a1"));
  EXPECT_TRUE(line.leave("b", "b1"));
  EXPECT_EQ(line.size(), 1U);
  line.join("b", "b2");
  EXPECT_EQ(all(line), "a2 b2 ");
}

TEST(FairQueue, AnItemAddedFirstOvertakesOnlyItsOwnTenant) {
  Line line;
  line.join("b", "b1");
  for (const char* item : {"a1", "a2"}) line.join("a", item);
  line.join_first("a", "a0");
  EXPECT_TRUE(line.contains("a0"));
  EXPECT_EQ(all(line), "b1 a0 a1 a2 ");
  EXPECT_FALSE(line.contains("a0"));
}

TEST(FairQueue, ATenantThatMayNotRunIsPassedOver) {
  Line line;
  for (const char* item : {"a1", "a2"}) line.join("a", item);
  line.join("b", "b1");
  const auto not_a = [](const std::string& tenant) { return tenant != "a"; };
  EXPECT_EQ(line.next(not_a), "b1");
  EXPECT_EQ(line.next(not_a), std::nullopt);
  EXPECT_EQ(all(line), "a1 a2 ");
}

}  // namespace
}  // namespace ebb
