#include "control/decisions/retention.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

constexpr auto kAnywhere = [](const std::string&) { return true; };

// Created at that second, in that namespace, for that workload.
StoredDecision record(std::string namespace_name, std::string workload, int second,
                      std::string name = {}) {
  if (name.empty()) name = fmt::format("{}-{:04}", workload, second);
  return {.key = {.namespace_name = std::move(namespace_name), .name = name},
          .uid = "uid-" + name,
          .workload = std::move(workload),
          .created = Timestamp::from_seconds(second)};
}

std::vector<std::string> deleted(Retention& retention) {
  std::vector<std::string> names;
  while (const auto excess = retention.next(true, kAnywhere)) {
    names.push_back(
        fmt::format("{}/{} {}", excess->key.namespace_name, excess->key.name, excess->limit));
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(Retention, KeepsTheNewestRecordsOfEachWorkload) {
  Retention retention({.per_workload = 2, .per_cluster = 100});
  for (const int second : {3, 1, 4, 2}) retention.put(record("shop", "web", second));
  retention.put(record("shop", "api", 1));
  EXPECT_TRUE(retention.any());
  EXPECT_EQ(deleted(retention), (Names{"shop/web-0001 workload", "shop/web-0002 workload"}));
  EXPECT_FALSE(retention.any());
  EXPECT_EQ(retention.size(), 5U) << "until the watch shows that they are gone";
}

TEST(Retention, OrdersRecordsOfOneSecondByTheEndOfTheirNames) {
  Retention retention({.per_workload = 1, .per_cluster = 100});
  retention.put(record("shop", "web", 1, "web-b-0002"));
  retention.put(record("shop", "web", 1, "web-z-0001"));
  EXPECT_EQ(deleted(retention), Names{"shop/web-z-0001 workload"});
}

TEST(Retention, LetsNamespacesTakeTurns) {
  Retention retention({.per_workload = 1, .per_cluster = 100});
  for (int second = 1; second <= 4; ++second) retention.put(record("noisy", "web", second));
  for (int second = 1; second <= 2; ++second) retention.put(record("quiet", "web", second));
  const auto first = retention.next(true, kAnywhere);
  const auto second = retention.next(true, kAnywhere);
  EXPECT_NE(first->key.namespace_name, second->key.namespace_name);
}

TEST(Retention, TakesFromTheNamespaceWithTheMostRecordsIfTheClusterHasTooMany) {
  Retention retention({.per_workload = 100, .per_cluster = 5});
  for (int second = 100; second < 106; ++second) {
    retention.put(record("noisy", fmt::format("forged{}", second), second));
  }
  for (int second = 1; second <= 2; ++second) retention.put(record("quiet", "web", second));
  EXPECT_EQ(deleted(retention),
            (Names{"noisy/forged100-0100 cluster", "noisy/forged101-0101 cluster",
                   "noisy/forged102-0102 cluster"}));
}

TEST(Retention, TakesTheOldestOfNamespacesWithEquallyManyRecords) {
  Retention retention({.per_workload = 100, .per_cluster = 2});
  retention.put(record("z", "web", 5));
  retention.put(record("a", "web", 6));
  retention.put(record("m", "web", 4));
  EXPECT_EQ(deleted(retention), Names{"m/web-0004 cluster"});
}

TEST(Retention, SparesOthersIfANamespaceRefusesDeletes) {
  Retention retention({.per_workload = 100, .per_cluster = 3});
  for (int second = 1; second <= 10; ++second) retention.put(record("stubborn", "web", second));
  for (int second = 1; second <= 3; ++second) retention.put(record("quiet", "web", second));
  const auto may = [](const std::string& name) { return name != "stubborn"; };
  EXPECT_FALSE(retention.next(true, may).has_value());
  retention.put(record("quiet", "web", 4));
  const auto excess = retention.next(true, may);
  ASSERT_TRUE(excess.has_value());
  EXPECT_EQ(excess->key.name, "web-0001");
  EXPECT_EQ(excess->key.namespace_name, "quiet");
}

TEST(Retention, CountsARecordAgainThatWasNotDeleted) {
  Retention retention({.per_workload = 1, .per_cluster = 100});
  retention.put(record("shop", "web", 1));
  retention.put(record("shop", "web", 2));
  const auto excess = retention.next(true, kAnywhere);
  ASSERT_TRUE(excess.has_value());
  retention.put(record("shop", "web", 1));  // a late event changes nothing
  EXPECT_FALSE(retention.any());
  retention.keep(excess->key);
  EXPECT_EQ(deleted(retention), Names{"shop/web-0001 workload"});
  retention.remove(excess->key);
  retention.keep(excess->key);
  EXPECT_FALSE(retention.any());
}

TEST(Retention, NoticesANewRecordOfTheSameName) {
  Retention retention({.per_workload = 1, .per_cluster = 100});
  retention.put(record("shop", "web", 1, "same"));
  retention.put(record("shop", "web", 2));
  ASSERT_TRUE(retention.next(true, kAnywhere).has_value());
  StoredDecision again = record("shop", "web", 3, "same");
  again.uid = "another";
  retention.put(again);
  const auto excess = retention.next(true, kAnywhere);
  ASSERT_TRUE(excess.has_value());
  EXPECT_EQ(excess->key.name, "web-0002");
}

// A second implementation, which is slow and simple.
std::vector<StoredDecision> kept(std::vector<StoredDecision> all, DecisionLimits limits) {
  const auto oldest = [](auto begin, auto end, const auto& counts) {
    auto found = end;
    for (auto each = begin; each != end; ++each) {
      if (counts(*each) && (found == end || each->created < found->created)) found = each;
    }
    return found;
  };
  const auto number = [&all](const auto& counts) {
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), counts));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const StoredDecision& one : std::vector<StoredDecision>(all)) {
      const auto same = [&](const StoredDecision& other) {
        return other.key.namespace_name == one.key.namespace_name && other.workload == one.workload;
      };
      if (number(same) <= limits.per_workload) continue;
      all.erase(oldest(all.begin(), all.end(), same));
      changed = true;
    }
  }
  while (all.size() > limits.per_cluster) {
    std::size_t most = 0;
    for (const StoredDecision& one : all) {
      most = std::max(most, number([&](const StoredDecision& other) {
                        return other.key.namespace_name == one.key.namespace_name;
                      }));
    }
    all.erase(oldest(all.begin(), all.end(), [&](const StoredDecision& one) {
      return number([&](const StoredDecision& other) {
               return other.key.namespace_name == one.key.namespace_name;
             }) == most;
    }));
  }
  return all;
}

TEST(Retention, KeepsTheSameRecordsAsASimpleImplementation) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    const DecisionLimits limits{.per_workload = 1 + random() % 4, .per_cluster = 3 + random() % 20};
    Retention retention(limits);
    std::vector<StoredDecision> all;
    for (int second = 1; second <= 60; ++second) {
      all.push_back(
          record(fmt::format("n{}", random() % 5), fmt::format("w{}", random() % 3), second));
    }
    std::vector<StoredDecision> shuffled = all;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    for (const StoredDecision& each : shuffled) retention.put(each);
    while (const auto excess = retention.next(true, kAnywhere)) retention.remove(excess->key);
    const auto expected = kept(all, limits);
    EXPECT_EQ(retention.size(), expected.size()) << "seed " << seed;
    for (const StoredDecision& each : expected) retention.remove(each.key);
    EXPECT_EQ(retention.size(), 0U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ebb::control
