#include "runtime/telemetry/recent_decisions.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

TEST(RecentDecisions, ListsWhatItWasGivenNewestLast) {
  RecentDecisions recent_decisions;
  EXPECT_EQ(recent_decisions.list(), "[]\n");
  recent_decisions.add(R"({"id":"a"})");
  recent_decisions.add(R"({"id":"b"})");
  EXPECT_EQ(recent_decisions.list(), "[{\"id\":\"a\"},\n{\"id\":\"b\"}]\n");
}

TEST(RecentDecisions, ForgetsTheOldestWhenItsMemoryIsFull) {
  RecentDecisions recent_decisions(20);
  for (const char* record : {"\"aaaaaaaa\"", "\"bbbbbbbb\"", "\"c\""}) recent_decisions.add(record);
  EXPECT_EQ(recent_decisions.list(), "[\"bbbbbbbb\",\n\"c\"]\n");
  const std::string large = "\"" + std::string(100, 'x') + "\"";
  recent_decisions.add(large);
  EXPECT_EQ(recent_decisions.list(), "[" + large + "]\n");
}

}  // namespace
}  // namespace ebb::runtime
