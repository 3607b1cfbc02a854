// Upstream compares pairs, and its rules can form cycles. The victim then depends on the order in
// which pods are listed. These are the known cycles; with one key per pod, the result is always
// the same.
#include <algorithm>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "order/lineup.h"
#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::Pod;
using testing::ago;
using testing::kNow;
using testing::World;

using Names = std::vector<std::string>;

// The removal order of three pods, which must be the same for all six ways to list them.
Names order_of(const std::vector<Pod>& pods) {
  std::set<Names> orders;
  std::vector<std::size_t> listed(pods.size());
  std::iota(listed.begin(), listed.end(), 0);
  do {
    // Choosing one and two is done anew, as a partial order takes another path.
    for (std::size_t count = 1; count <= pods.size(); ++count) {
      std::vector<Candidate> candidates;
      for (const std::size_t i : listed) candidates.push_back({&pods[i], 3});
      Lineup lineup(std::move(candidates), {.now = kNow});
      lineup.order_first(count);
      lineup.order_first(pods.size());
      Names names;
      for (std::size_t i = 0; i < pods.size(); ++i) names.emplace_back(lineup[i].pod->name.view());
      orders.insert(names);
    }
  } while (std::next_permutation(listed.begin(), listed.end()));
  EXPECT_EQ(orders.size(), 1U) << "the order depends on how pods are listed";
  return *orders.begin();
}

class Cycles : public ::testing::Test {
 protected:
  Pod pod(std::string_view name, std::string_view uid, Nanoseconds ready_ns) {
    Pod made = world_.pod(name);
    made.uid = world_.intern(uid);
    made.ready_since = ago(ready_ns);
    made.created = ago(6 * kHour);
    return made;
  }

  World world_;
  // All in one bucket. Upstream: A before B, B before C, C before A.
  std::vector<Pod> pods_ = {pod("A", "d", 5 * kHour), pod("B", "b", 5 * kHour),
                            pod("C", "c", 5 * kHour + kSecond)};
};

TEST_F(Cycles, OfRestartsAndUidsAreBroken) {
  pods_[0].restarts = 7;
  EXPECT_EQ(order_of(pods_), (Names{"A", "B", "C"}));
}

TEST_F(Cycles, OfCreationAgesAndUidsAreBroken) {
  pods_[1].created = ago(600 * kHour);
  EXPECT_EQ(order_of(pods_), (Names{"C", "A", "B"}));
}

// Upstream: A before C and C before B, and yet A and B tie.
TEST_F(Cycles, TiesThatAreNotTransitiveAreBroken) {
  pods_ = {pod("A", "a", 5 * kHour), pod("B", "c", 5 * kHour), pod("C", "b", 5 * kHour + kSecond)};
  EXPECT_EQ(order_of(pods_), (Names{"A", "C", "B"}));
}

// The same through creation times, which many pods share after a burst of creations.
TEST_F(Cycles, TiesAmongPodsThatAreNotReadyAreBroken) {
  pods_ = {pod("A", "a", 0), pod("B", "c", 0), pod("C", "b", 0)};
  for (Pod& each : pods_) each.ready = false;
  pods_[2].created = ago(6 * kHour + kSecond);
  EXPECT_EQ(order_of(pods_), (Names{"A", "C", "B"}));
}

}  // namespace
}  // namespace ebb::order
