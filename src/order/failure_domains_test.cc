// KEP-2185: removing the youngest pods empties the failure domain that was added
// last. With ages in buckets, and random uids within a bucket, all domains shrink.
#include <algorithm>
#include <array>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "order/select.h"
#include "support/objects/pods.h"

namespace ebb::order {
namespace {

using model::Pod;
using testing::ago;
using testing::kNow;
using testing::pointers;
using testing::World;

constexpr std::size_t kN = 300;

class FailureDomains : public ::testing::Test {
 protected:
  // Each pod has a node of its own, so that only ages and uids can decide.
  void grow(std::size_t domain, std::size_t count, Nanoseconds age_ns) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string uid = random_uid();
      Pod pod = world_.pod(fmt::format("web-{}", uid));
      pod.uid = world_.intern(uid);
      pod.node = world_.intern(fmt::format("domain-{}-node-{}", domain, uid));
      pod.created = pod.ready_since = ago(age_ns + static_cast<Nanoseconds>(i) * kSecond);
      domain_of_[pod.uid.view()] = domain;
      pods_.push_back(pod);
    }
  }

  void shrink(std::size_t count) {
    const auto candidates = pointers(pods_);
    NodeCounts counts;
    for (const Pod& pod : pods_) ++counts[pod.node];
    Lineup lineup = line_up({.candidates = candidates,
                             .co_located = counts,
                             .now = kNow,
                             .gates = gates_,
                             .prefer_label_in_template = false,
                             .cost_ranks = {},
                             .verdicts = {}});
    lineup.order_first(lineup.size());
    std::vector<Pod> kept;
    for (std::size_t i = count; i < lineup.size(); ++i) kept.push_back(*lineup[i].pod);
    pods_ = std::move(kept);
  }

  std::array<std::size_t, 3> sizes() {
    std::array<std::size_t, 3> sizes{};
    for (const Pod& pod : pods_) ++sizes[domain_of_.at(pod.uid.view())];
    return sizes;
  }

  std::string random_uid() {
    const std::uint64_t high = random_();
    const std::uint64_t low = random_();
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xffff,
                       high & 0xfff, (low >> 48 & 0x3fff) | 0x8000, low & 0xffff'ffff'ffff);
  }

  World world_;
  std::mt19937_64 random_{2185};
  std::vector<Pod> pods_;
  std::map<std::string_view, std::size_t> domain_of_;
  model::FeatureGates gates_;
};

// A fair draw of N from 3N leaves 2N/3 = 200 in each domain with a standard deviation
// of 6.7, so 30 away from that would be no accident.
void expect_about_two_thirds(const std::array<std::size_t, 3>& sizes) {
  for (const std::size_t size : sizes) EXPECT_NEAR(static_cast<double>(size), 2 * kN / 3.0, 30);
}

TEST_F(FailureDomains, AllShrinkAlikeWhenAgesShareABucket) {
  grow(0, kN, 7 * kHour);
  grow(1, kN, 7 * kHour);
  grow(2, kN, 5 * kHour);
  shrink(kN);
  expect_about_two_thirds(sizes());
}

TEST_F(FailureDomains, TheNewestIsEmptiedWhenTimesAreExact) {
  gates_.set(model::Gate::kLogarithmicScaleDown, false);
  grow(0, kN, 7 * kHour);
  grow(1, kN, 7 * kHour);
  grow(2, kN, 5 * kHour);
  shrink(kN);
  EXPECT_EQ(sizes(), (std::array<std::size_t, 3>{kN, kN, 0}));
}

// The scheduler puts new pods where there are fewest.
TEST_F(FailureDomains, StayBalancedOverManyCycles) {
  grow(0, kN, 7 * kHour);
  grow(1, kN, 7 * kHour);
  for (int cycle = 0; cycle < 10; ++cycle) {
    for (std::size_t i = 0; i < kN; ++i) {
      const auto now = sizes();
      const auto fewest = std::min_element(now.begin(), now.end()) - now.begin();
      grow(static_cast<std::size_t>(fewest), 1, 5 * kHour);
    }
    shrink(kN);
    expect_about_two_thirds(sizes());
  }
}

// Still a heuristic in favour of old pods: a younger bucket goes first as a whole.
TEST_F(FailureDomains, AYoungerBucketGoesFirst) {
  grow(0, kN, 5 * kHour);
  grow(1, kN, 5 * kHour);
  grow(2, kN, kHour);
  shrink(kN);
  EXPECT_EQ(sizes(), (std::array<std::size_t, 3>{kN, kN, 0}));
}

}  // namespace
}  // namespace ebb::order
