// R-X-09: choosing 500 of the 5,000 pods of one ReplicaSet.
#include <algorithm>
#include <chrono>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plan/plan.h"
#include "support/generated_pods.h"
#include "support/reading.h"

namespace ebb {
namespace {

constexpr std::size_t kPods = 5'000;
constexpr std::size_t kVictims = 500;

// The best of a few, which is what it takes if nobody disturbs.
template <class Work>
double best_seconds(const Work& work) {
  constexpr int kRounds = 5;
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

// What the fifty milliseconds of the requirement are on the machine at hand: machines on which they
// are meant sort as many numbers in that time.
double fifty_milliseconds() {
  constexpr std::size_t kNumbers = 500'000;
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> numbers(kNumbers);
  for (auto& number : numbers) number = random();
  return best_seconds([&] {
    std::vector<std::uint64_t> copy = numbers;
    std::sort(copy.begin(), copy.end());
    EXPECT_LE(copy.front(), copy.back());
  });
}

TEST(Scale, FiveHundredOfFiveThousandPodsAreChosenInMuchLessThanFiftyMilliseconds) {
  const auto snapshot =
      testing::read(testing::generate_pod_list({.pods = kPods, .nodes = 500, .seed = 9}));
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  plan::Request request;
  request.kind = plan::Request::Kind::kReplicaSet;
  request.name_space = "shop";
  request.name = "web-7d4b9c6f5d";
  request.replicas = static_cast<std::int32_t>(kPods - kVictims);
  request.now = Timestamp::from_seconds(1793534400);
  std::size_t removed = 0;
  // From records to victims, each with the reason why it goes.
  const double choosing = best_seconds([&] {
    const auto made = plan::make_plan(*snapshot, request);
    removed = made ? made->sets.front().remove.size() : 0;
  });
  EXPECT_EQ(removed, kVictims);
  const double allowed = fifty_milliseconds();
  RecordProperty("share_of_fifty_milliseconds", fmt::format("{:.3f}", choosing / allowed));
  fmt::print("choosing takes {:.2f} ms, and what 50 ms are elsewhere {:.2f} ms\n", choosing * 1e3,
             allowed * 1e3);
  EXPECT_LT(choosing, allowed);
}

}  // namespace
}  // namespace ebb
