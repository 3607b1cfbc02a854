// How long things take compared with others in the same run. R-X-09: choosing 500 of the 5,000 pods
// of one ReplicaSet.
#include <algorithm>
#include <chrono>
#include <limits>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/records/pool.h"
#include "plan/plan.h"
#include "support/objects/generated_pods.h"
#include "support/objects/reading.h"

namespace ebb {
namespace {

constexpr std::size_t kPods = 5'000;
constexpr std::size_t kVictims = 500;

// The best of a few rounds: the time on an undisturbed machine.
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

// The equivalent of fifty milliseconds on this machine: the machines that the requirement is meant
// for sort this many numbers in that time.
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
  request.namespace_name = "shop";
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

// API servers do not check owner references: a tenant can give every pod another made-up owner.
TEST(Scale, OwnersThatDifferInOnePartAreStoredAsFastAsOthers) {
  const auto seconds_for = [](const auto& differs) {
    return best_seconds([&differs] {
      model::Pool pool;
      for (int i = 0; i < 20'000; ++i) {
        const auto text = [&](int part) {
          return pool.intern(fmt::format("part-{}-{}", part, differs(part) ? i : 0));
        };
        (void)pool.intern(model::ControllerRef{text(0), text(1), text(2), text(3)});
      }
    });
  };
  const double all = seconds_for([](int) { return true; });
  for (int only = 0; only < 4; ++only) {
    EXPECT_LT(seconds_for([only](int part) { return part == only; }), 10 * all) << only;
  }
}

}  // namespace
}  // namespace ebb
