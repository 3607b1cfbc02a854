#include "control/decisions/decision_queue.h"

#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

constexpr auto kAnywhere = [](const std::string&) { return true; };

Decision decision(std::string namespace_name, std::string set, std::string id) {
  Decision made;
  made.namespace_name = std::move(namespace_name);
  made.replica_set = std::move(set);
  made.id = std::move(id);
  return made;
}

std::vector<std::string> ids(DecisionQueue& queue) {
  std::vector<std::string> all;
  while (const auto next = queue.next(kAnywhere)) all.push_back(next->decision.id);
  return all;
}

using Ids = std::vector<std::string>;

TEST(DecisionQueue, LetsNamespacesTakeTurns) {
  DecisionQueue queue;
  for (const char* id : {"a1", "a2", "a3"}) queue.add(decision("a", "web", id));
  queue.add(decision("b", "web", "b1"));
  EXPECT_EQ(ids(queue), (Ids{"a1", "b1", "a2", "a3"}));
  EXPECT_TRUE(queue.empty());
}

TEST(DecisionQueue, SkipsNamespacesThatHaveToWait) {
  DecisionQueue queue;
  queue.add(decision("a", "web", "a1"));
  queue.add(decision("b", "web", "b1"));
  const auto next = queue.next([](const std::string& name) { return name == "b"; });
  ASSERT_TRUE(next.has_value());
  EXPECT_EQ(next->decision.id, "b1");
  EXPECT_FALSE(queue.next([](const std::string& name) { return name == "b"; }).has_value());
}

TEST(DecisionQueue, KeepsTheNewestOfAWorkload) {
  DecisionQueue queue({.per_workload = 2});
  for (const char* id : {"1", "2", "3"}) queue.add(decision("shop", "web", id));
  queue.add(decision("shop", "api", "4"));
  EXPECT_EQ(queue.take_dropped(), 1U);
  EXPECT_EQ(ids(queue), (Ids{"2", "3", "4"}));
}

TEST(DecisionQueue, DropsTheOldestOfTheNamespaceThatHasTheMost) {
  DecisionQueue queue({.records = 4});
  queue.add(decision("quiet", "web", "q1"));
  for (int i = 1; i <= 5; ++i) {
    queue.add(decision("noisy", fmt::format("w{}", i), fmt::format("n{}", i)));
  }
  EXPECT_EQ(queue.take_dropped(), 2U);
  EXPECT_EQ(queue.take_dropped(), 0U);
  EXPECT_EQ(ids(queue), (Ids{"q1", "n3", "n4", "n5"}));
}

TEST(DecisionQueue, LimitsItsBytes) {
  DecisionQueue queue({.bytes = 100'000});
  for (int i = 0; i < 20; ++i) {
    Decision large = decision("shop", fmt::format("w{}", i), fmt::format("{}", i));
    large.victims.resize(50);
    queue.add(std::move(large));
  }
  EXPECT_LT(queue.size(), 20U);
  EXPECT_EQ(queue.size() + queue.take_dropped(), 20U);
}

TEST(DecisionQueue, ReturnsARecordThatWasPutBackFirst) {
  DecisionQueue queue;
  for (const char* id : {"1", "2"}) queue.add(decision("shop", "web", id));
  auto first = queue.next(kAnywhere);
  first->tries = 3;
  queue.put_back(std::move(*first));
  EXPECT_EQ(queue.next(kAnywhere)->tries, 3);
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.take_dropped(), 1U);
}

}  // namespace
}  // namespace ebb::control
