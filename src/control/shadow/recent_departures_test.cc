#include "control/shadow/recent_departures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"

namespace ebb::control::shadow {
namespace {

constexpr Timestamp kStart = Timestamp::from_seconds(1'000);

class RecentDeparturesTest : public ::testing::Test {
 protected:
  void leave(std::string_view set, std::string_view pod, model::Revision revision = 1) {
    model::Pod record;
    record.name = pool_.intern(pod);
    record.uid = pool_.intern(fmt::format("{}-uid", pod));
    record.deleting = true;
    departures_.add(set, record, revision, true);
  }
  std::string names(std::string_view set) const {
    std::string text;
    const auto* found = departures_.of(set);
    if (found == nullptr) return text;
    for (const Departure& departure : *found) text += departure.pod.name.view();
    return text;
  }

  model::Pool pool_;
  RecentDepartures departures_;
};

TEST_F(RecentDeparturesTest, KeepsPodsOfEachReplicaSetForAWhile) {
  leave("x", "a");
  leave("y", "b");
  EXPECT_EQ(departures_.wake_at(), kRightAway);
  departures_.run(kStart);
  leave("x", "c");
  departures_.run(later_by(kStart, 4 * kNanosecondsPerSecond));
  EXPECT_EQ(names("x"), "ac");
  EXPECT_FALSE(departures_.of("x")->front().pod.deleting);
  EXPECT_EQ(departures_.wake_at(), later_by(kStart, RecentDepartures::kKeptNs));
  departures_.run(later_by(kStart, RecentDepartures::kKeptNs));
  EXPECT_EQ(names("x"), "c");
  EXPECT_EQ(names("y"), "");
  departures_.run(later_by(kStart, 4 * kNanosecondsPerSecond + RecentDepartures::kKeptNs));
  EXPECT_EQ(departures_.size(), 0U);
  EXPECT_TRUE(departures_.wake_at().is_zero());
}

TEST_F(RecentDeparturesTest, SurvivesTheRebuildOfItsPool) {
  Timestamp now = kStart;
  for (int i = 0; i < 60'000; ++i) {
    leave("x", fmt::format("a-pod-with-a-rather-long-name-{}", i));
    now = later_by(now, kNanosecondsPerSecond / 10);
    departures_.run(now);
  }
  EXPECT_EQ(departures_.size(), 100U);
  EXPECT_EQ(departures_.of("x")->back().pod.name.view(), "a-pod-with-a-rather-long-name-59999");
  EXPECT_EQ(departures_.of("x")->front().pod.name.view(), "a-pod-with-a-rather-long-name-59900");
}

TEST_F(RecentDeparturesTest, IsBounded) {
  for (std::size_t i = 0; i < RecentDepartures::kMaxKept + 10; ++i) leave("x", fmt::to_string(i));
  EXPECT_EQ(departures_.size(), RecentDepartures::kMaxKept);
}

}  // namespace
}  // namespace ebb::control::shadow
